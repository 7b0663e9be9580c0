// The calls of a Limiter for programs on Boost.Asio: with coroutines, futures or callbacks.
//
//   AsyncLimiter limiter{store};
//   Expected<Decision> decision = co_await limiter.async_take("user:42", limit, 1, use_awaitable);
//   limiter.async_take("user:42", limit, 1, use_future).get()    // the store's loop elsewhere
//   limiter.async_take("user:42", limit, 1, [](Expected<Decision> decision) { ... });
//
// Keys are copied. A handler is called as its executor wants it, never within the call itself; the
// store's deadline is its own. Thread safety: every member may be called from any thread. Cost: an
// allocation for each call beside the store's.
#pragma once

#include <atomic>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/store/store.h"

namespace tidegate {

// A take that owns its key.
struct OwnedTake {
  std::string key;
  Limit limit;
  Cost cost = 1;
  Role role = Role::kBinding;
};

namespace async {

// What is asked, with all that its operation points at, and what its handler is given.
struct One : TakeOp {
  using Op = TakeOp;
  using Result = Expected<Decision>;

  One(OwnedTake owned, bool check, Time by) : key{std::move(owned.key)} {
    take.emplace(Take{key, owned.limit, owned.cost, owned.role});
    takes = {&*take, 1};
    check_only = check;
    deadline = by;
  }
  Result result() {
    if (error) return tl::unexpected{*std::move(error)};
    return verdict.decisions.front();
  }

  std::string key;
  std::optional<Take> take;
};

struct Several : TakeOp {
  using Op = TakeOp;
  using Result = Expected<Verdict>;

  Several(std::vector<OwnedTake> given, Charge how, Time by) : owned{std::move(given)} {
    for (const OwnedTake& each : owned)
      views.push_back({each.key, each.limit, each.cost, each.role});
    takes = views;
    charge = how;
    deadline = by;
  }
  Result result() {
    if (error) return tl::unexpected{*std::move(error)};
    return std::move(verdict);
  }

  std::vector<OwnedTake> owned;
  std::vector<Take> views;
};

struct GivenBack : GiveBackOp {
  using Op = GiveBackOp;
  using Result = Expected<void>;

  GivenBack(std::string name, const Limit& under, Cost back, std::optional<Time> when, Time by)
      : Op{.key = {}, .limit = under, .cost = back, .at = when, .deadline = by},
        owned{std::move(name)} {
    key = owned;
  }
  Result result() {
    if (error) return tl::unexpected{*std::move(error)};
    return {};
  }

  std::string owned;
};

struct Forgotten : ResetOp {
  using Op = ResetOp;
  using Result = Expected<void>;

  Forgotten(std::string name, Time by) : Op{.key = {}, .deadline = by}, owned{std::move(name)} {
    key = owned;
  }
  Result result() {
    if (error) return tl::unexpected{*std::move(error)};
    return {};
  }

  std::string owned;
};

// A request on its way, and its handler. It deletes itself when both are done with.
template <class Request, class Handler>
class Waiting final : private Request {
 public:
  template <class... Arguments>
  static void start(Store& store, Handler handler, Arguments&&... arguments) {
    auto* const waiting = new Waiting{std::move(handler), std::forward<Arguments>(arguments)...};
    store.submit(static_cast<typename Request::Op&>(*waiting));
    if (waiting->phase_.exchange(Phase::kReturned) == Phase::kCompleted) waiting->finish(true);
  }

 private:
  using Executor = boost::asio::associated_executor_t<Handler>;
  enum class Phase { kSubmitting, kReturned, kCompleted };

  template <class... Arguments>
  explicit Waiting(Handler handler, Arguments&&... arguments)
      : Request{std::forward<Arguments>(arguments)...},
        handler_{std::move(handler)},
        work_{boost::asio::get_associated_executor(handler_)} {
    this->complete = [](typename Request::Op& done) {
      auto& waiting = static_cast<Waiting&>(static_cast<Request&>(done));
      if (waiting.phase_.exchange(Phase::kCompleted) == Phase::kReturned) waiting.finish(false);
    };
  }

  // A store that answers before `submit` returns must not call the handler within the call.
  void finish(bool within_call) {
    const std::unique_ptr<Waiting> self{this};
    auto call = [handler = std::move(handler_), result = this->result()]() mutable {
      std::move(handler)(std::move(result));
    };
    within_call ? boost::asio::post(work_.get_executor(), std::move(call))
                : boost::asio::dispatch(work_.get_executor(), std::move(call));
  }

  std::atomic<Phase> phase_{Phase::kSubmitting};
  Handler handler_;
  boost::asio::executor_work_guard<Executor> work_;
};

template <class Request, class Token, class... Arguments>
auto start(Store& store, Token&& token, Arguments&&... arguments) {
  return boost::asio::async_initiate<Token, void(typename Request::Result)>(
      [&store](auto handler, auto... given) {
        Waiting<Request, decltype(handler)>::start(store, std::move(handler), std::move(given)...);
      },
      token, std::forward<Arguments>(arguments)...);
}

}  // namespace async

class AsyncLimiter {
 public:
  // With a deadline: of all its calls.
  explicit AsyncLimiter(Store& store, Time deadline = kEndOfTime)
      : store_{store}, deadline_{deadline} {}

  AsyncLimiter by(Time deadline) const { return AsyncLimiter{store_, deadline}; }

  // The handler is given an Expected<Decision>.
  template <class Token>
  auto async_take(std::string key, const Limit& limit, Cost cost, Token&& token) const {
    return async::start<async::One>(store_, std::forward<Token>(token),
                                    OwnedTake{std::move(key), limit, cost}, false, deadline_);
  }
  template <class Token>
  auto async_check(std::string key, const Limit& limit, Cost cost, Token&& token) const {
    return async::start<async::One>(store_, std::forward<Token>(token),
                                    OwnedTake{std::move(key), limit, cost}, true, deadline_);
  }

  // Several takes, one answer: an Expected<Verdict>.
  template <class Token>
  auto async_take(std::vector<OwnedTake> takes, Charge charge, Token&& token) const {
    return async::start<async::Several>(store_, std::forward<Token>(token), std::move(takes),
                                        charge, deadline_);
  }

  // An Expected<void>.
  template <class Token>
  auto async_give_back(std::string key, const Limit& limit, Cost cost, std::optional<Time> at,
                       Token&& token) const {
    return async::start<async::GivenBack>(store_, std::forward<Token>(token), std::move(key), limit,
                                          cost, at, deadline_);
  }
  template <class Token>
  auto async_reset(std::string key, Token&& token) const {
    return async::start<async::Forgotten>(store_, std::forward<Token>(token), std::move(key),
                                          deadline_);
  }

 private:
  Store& store_;
  Time deadline_;
};

}  // namespace tidegate
