// Every other call that README.md and docs/library.md show, word for word. Run, it checks that they
// do what the text says.
#undef NDEBUG  // the assertions here are the checks
#include <cassert>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "tidegate/bucket.h"
#include "tidegate/limiter.h"
#include "tidegate/middleware/guard.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"

using namespace tidegate;
using namespace std::chrono_literals;

namespace {

struct Request {
  std::string user;
};
struct Response {
  int status;
  Duration retry_after{0};
};
Response serve(const Request&) {
  return {200};
}
Response too_many(Duration retry_after) {
  return {429, retry_after};
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("not so: %s\n", what);
  ++failures;
}

void several_takes() {
  MemoryStore store;
  Limiter limiter{store};

  const Expected<Verdict> verdict = limiter.take({
      {.key = "user:42", .limit = "5/min"_limit},
      {.key = "tenant:acme", .limit = "1000/h burst 100"_limit, .cost = 3},
  });
  if (verdict && verdict->allowed) serve({});

  expect(verdict->decisions[1].remaining == 97, "all are charged");
}

void roles() {
  MemoryStore store;
  Limiter limiter{store};

  const Expected<Verdict> verdict = limiter.take({
      {.key = "user:42", .limit = "100/min"_limit},
      {.key = "user:42:trial", .limit = "20/min"_limit, .role = Role::kShadow},
      {.key = "plan:basic", .limit = "1000/day"_limit, .role = Role::kQuota},
      {.key = "credits:42", .limit = "50/day"_limit, .role = Role::kQuota},
  });

  expect(verdict->allowed, "all fit");

  const std::vector<Take> takes{{.key = "a", .limit = "5/min"_limit},
                                {.key = "b", .limit = "0/min"_limit}};
  const Expected<Verdict> each = limiter.take(takes, Charge::kEach);

  expect(!each->allowed && each->binding == 1, "b denies");
  expect(limiter.check("a", "5/min"_limit)->remaining == 3, "a is charged: 4 left, less this one");
}

void acquire() {
  MemoryStore store;
  Limiter limiter{store};

  const Time deadline = system_clock().now() + 2s;
  const auto decision = limiter.acquire("api.example.com", "10/s"_limit, deadline);
  if (decision && decision->allowed) std::puts("call it");

  expect(decision->allowed, "it fits");
}

void one_bucket() {
  Bucket writes{"100/s burst 20"_limit};
  if (!writes.take().allowed) std::puts("skip this one");

  expect(writes.check().remaining == 18, "19 left, less this one");
}

void guarded() {
  MemoryStore store;
  Limiter limiter{store};

  const auto handler = guard(
      limiter, "5/min"_limit, [](const Request& r) { return r.user; },
      [](const Request& r) { return serve(r); },
      [](const Decision& d, const Request&) { return too_many(d.retry_after); });
  const Response response = handler(Request{.user = "42"});

  expect(response.status == 200, "the first is served");
  for (int i = 0; i < 4; ++i) handler(Request{.user = "42"});
  expect(handler(Request{.user = "42"}).status == 429, "the sixth is not");
}

void limits() {
  constexpr Limit fixed = "100/h burst 20"_limit;
  const Expected<Limit> read = Limit::parse("100/h burst 20");
  const Expected<Limit> made =
      Limit::make({.tokens = 100, .period = 1h, .algorithm = Algorithm::kTokenBucket, .burst = 20});
  if (!read) std::puts(read.error().message().c_str());

  expect(fixed == *read, "they are one limit");
  expect(made.has_value() && fixed == *made, "and so is the third");
}

void take_and_look() {
  MemoryStore store;
  Limiter limiter{store};
  constexpr Limit limit = "5/min"_limit;

  const Expected<Decision> taken = limiter.take("user:42", limit, 2);
  const Expected<Decision> look = limiter.check("user:42", limit, 4);
  if (taken) limiter.give_back("user:42", limit, 2, taken->at);
  limiter.reset("user:42");

  expect(taken->remaining == 3, "2 of 5 taken");
  expect(!look->allowed && look->retry_after > 59s, "4 do not fit");
  expect(limiter.check("user:42", limit, 5)->allowed, "all is forgotten");
}

void batch() {
  MemoryStore store;

  std::vector<Take> takes;
  for (const char* key : {"a", "b", "c"}) takes.push_back({.key = key, .limit = "5/min"_limit});
  std::vector<Decision> decisions(takes.size());
  store.take_batch(takes, decisions);

  expect(decisions[2].remaining == 4, "each is charged");
}

void options() {
  MemoryStore store{{.max_memory = 256 << 20, .on_full = OnFull::kEvict}};
  Sweeper sweeper{store, 10s};

  const MemoryStoreCounters counters = store.counters();
  std::printf("%llu keys, %llu evicted\n", static_cast<unsigned long long>(counters.keys),
              static_cast<unsigned long long>(counters.evicted));
}

void virtual_time() {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  constexpr Limit one_a_minute = "1/min"_limit;

  assert(limiter.take("job", one_a_minute)->allowed);
  assert(limiter.take("job", one_a_minute)->retry_after == 60s);
  clock.advance(60s);
  assert(limiter.take("job", one_a_minute)->allowed);

  assert(limiter.acquire("job", one_a_minute, clock.now() + 5min)->allowed);  // moves the clock
}

void errors() {
  MemoryStore store;
  Limiter limiter{store};

  const Expected<Decision> decision = limiter.take("user:42", "5/min"_limit, -1);
  if (!decision) std::puts(decision.error().message().c_str());

  expect(!decision, "a negative cost is an error");
}

}  // namespace

int main() {
  several_takes();
  roles();
  acquire();
  one_bucket();
  guarded();
  limits();
  take_and_look();
  batch();
  options();
  virtual_time();
  errors();
  return failures == 0 ? 0 : 1;
}
