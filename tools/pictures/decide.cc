// Prints what each algorithm decides about the same traffic, in virtual time; draw.py draws it.
//
//   tools/pictures/draw.sh
//
// One line of text a fact: `picture NAME`, `panel LIMIT`, and for each request `MICROSECONDS 1`
// when it was admitted, `MICROSECONDS 0` when not.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/algorithm/algorithm.h"

namespace tidegate {
namespace {

using namespace std::chrono_literals;
using Requests = std::vector<Duration>;  // when they come, counted from an edge of every window

// One request each `every` in [from, to).
void offer(Requests& requests, Duration from, Duration to, Duration every) {
  for (Duration at = from; at < to; at += every) requests.push_back(at);
}

// A whole number of periods after the epoch, so that an edge of the aligned windows lies at 0.
constexpr Time kStart{1'700'000'000s};

void decide(const char* limit_text, const Requests& requests) {
  const Limit limit = *Limit::parse(limit_text);
  AnyState state = make_state(limit.algorithm());
  std::printf("panel %s\n", limit_text);
  for (const Duration at : requests) {
    const Decision decision = take(state, limit, kStart + at, 1);
    std::printf("%lld %d\n", static_cast<long long>(at.count()), decision.allowed ? 1 : 0);
  }
}

constexpr const char* kSliding = "10/10s";
constexpr const char* kCounter = "10/10s algorithm sliding_window_counter";
constexpr const char* kFixed = "10/10s algorithm fixed_window";
constexpr const char* kBucket = "10/10s burst 10";
constexpr const char* kInterval = "10/10s burst 10 refill interval";

void all_four(const char* picture, const Requests& requests) {
  std::printf("picture %s\n", picture);
  for (const char* limit : {kSliding, kCounter, kFixed, kBucket}) decide(limit, requests);
}

// Twice the rate of the limit, for ever.
Requests steady() {
  Requests requests;
  offer(requests, 0s, 40s, 500ms);
  return requests;
}

// Twice the capacity within two seconds, half of it on each side of an edge; then again.
Requests edge() {
  Requests requests;
  offer(requests, 9s, 11s, 100ms);
  offer(requests, 19s, 21s, 100ms);
  return requests;
}

// Little, nothing for a while, then four times the rate.
Requests idle() {
  Requests requests;
  offer(requests, 1s, 9s, 2s);
  offer(requests, 25s, 37s, 250ms);
  return requests;
}

// As much as possible, at once and then as often as anything can come free. The latest instant
// before an edge for those that forget at it.
Requests greedy(Duration first, Duration to) {
  Requests requests(10, first);
  offer(requests, 10s, to, 100ms);
  return requests;
}

// For each algorithm the traffic that drives it to its bound.
void bounds() {
  std::printf("picture bounds\n");
  decide(kSliding, greedy(10s - 1us, 21s));
  decide(kCounter, greedy(10s - 1us, 21s));
  decide(kFixed, greedy(10s - 1us, 21s));
  decide(kBucket, greedy(10s - 1us, 21s));
  decide(kInterval, greedy(10s - 1us, 21s));
}

void print_all() {
  all_four("steady", steady());
  all_four("edge", edge());
  all_four("idle", idle());
  bounds();
}

}  // namespace
}  // namespace tidegate

int main() {
  tidegate::print_all();
}
