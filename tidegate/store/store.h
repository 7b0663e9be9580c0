// A store keeps states and has one verb: a request's whole list of takes, decided at one instant.
//
// Operations are owned by the caller, who keeps them (and what their views point at) alive and
// untouched until they complete. An operation completes exactly once, perhaps before `submit`
// returns; a store that completes later does so on the caller's event loop. Nothing is allocated
// per operation once its verdict has been used before. Thread safety: `submit` may be called from
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"

namespace tidegate {

inline constexpr std::size_t kMaxKeyBytes = std::size_t{64} * 1024;
inline constexpr std::size_t kMaxTakes = 128;  // in one request

// What a take's denial means for its request.
enum class Role : std::uint8_t {
  kBinding,  // denies it
  kShadow,   // never denies; charged when it fits and the request is admitted
  kQuota,    // denies only when every quota take of the request does
};

// What is charged when takes disagree.
enum class Charge : std::uint8_t {
  kAllOrNothing,  // one denial, and nothing is
  kEach,          // every take that fits, whatever the others say
};

// What a take is answered by a store that is away or late. Stores that never are do not look.
enum class OnStoreError : std::uint8_t {
  kStoresChoice,  // as the store was told to answer
  kAllow,         // what a fresh key would allow
  kDeny,          // everything, for a second
  kError,         // the request fails
  kLocal,         // what a store of this process decides, for as long as the other is away
};

// The shape of a take's state in Redis: one that other services read and write too, for
// sliding_window (kZset, kList) or fixed_window (kCounter). Other stores do not look.
enum class Layout : std::uint8_t { kStoresChoice, kZset, kList, kCounter };

struct Take {
  std::string_view key;  // any bytes, at most kMaxKeyBytes
  Limit limit;
  Cost cost = 1;  // not negative
  Role role = Role::kBinding;
  OnStoreError on_store_error = OnStoreError::kStoresChoice;
  Layout layout = Layout::kStoresChoice;
};

// The answer to a request. A take's own decision says whether it alone would be admitted; remaining
// and reset_after say what holds after the whole request.
struct Verdict {
  std::vector<Decision> decisions;  // one for each take, in order
  std::size_t binding = 0;          // which take bound: of the denying ones that with the longest
                                    // wait, otherwise that with the least remaining
  bool allowed = false;
  bool degraded = false;  // not answered from the configured store's state

  const Decision& bound() const { return decisions[binding]; }
  bool operator==(const Verdict&) const = default;
};

// Identity is (algorithm, key): the same identity twice needs an equal limit, and its costs are
// summed.
struct TakeOp {
  std::span<const Take> takes;
  Charge charge = Charge::kAllOrNothing;
  bool check_only = false;     // judge; charge and repair nothing
  Time deadline = kEndOfTime;  // for stores that may be late

  Verdict verdict = {};
  std::optional<Error> error = std::nullopt;  // then the verdict is void
  void (*complete)(TakeOp&) = nullptr;
};

// Undoes a take. `at` is its decision's. Without it the oldest charge that the state still knows is
// reduced, which never over-admits within one period of the take; fixed_window and token_bucket
// know no single charges and then change nothing. A no-op once what the take charged has expired.
struct GiveBackOp {
  std::string_view key;
  Limit limit;
  Cost cost = 1;
  std::optional<Time> at = std::nullopt;
  Time deadline = kEndOfTime;

  std::optional<Error> error = std::nullopt;
  void (*complete)(GiveBackOp&) = nullptr;
};

// Forgets a key's states, those of all algorithms.
struct ResetOp {
  std::string_view key;
  Time deadline = kEndOfTime;

  std::optional<Error> error = std::nullopt;
  void (*complete)(ResetOp&) = nullptr;
};

class Store {
 public:
  virtual ~Store() = default;
  virtual void submit(TakeOp& op) = 0;
  virtual void submit(GiveBackOp& op) = 0;
  virtual void submit(ResetOp& op) = 0;
};

// What is wrong with an operation, in words that name the key; nullopt when nothing is. Every store
// asks before it decides.
std::optional<Error> problem_with(std::span<const Take> takes);
std::optional<Error> problem_with(const GiveBackOp& op);
std::optional<Error> problem_with(const ResetOp& op);
std::optional<Error> problem_with(std::string_view key, Cost cost);

}  // namespace tidegate
