#include "tidegate/limiter.h"

#include <semaphore>

#include "tidegate/store/memory/memory_store.h"

namespace tidegate {
namespace {

// An operation that its caller waits for.
template <class Op>
struct Awaited : Op {
  explicit Awaited(Op op) : Op{std::move(op)} {
    this->complete = [](Op& done) { static_cast<Awaited&>(done).completed.release(); };
  }

  std::binary_semaphore completed{0};
};

template <class Op>
void submit_and_wait(Store& store, Awaited<Op>& op) {
  store.submit(static_cast<Op&>(op));
  op.completed.acquire();
}

template <class Op>
Expected<void> finish(Store& store, Op request) {
  Awaited<Op> op{std::move(request)};
  submit_and_wait(store, op);
  if (op.error) return tl::unexpected{*std::move(op.error)};
  return {};
}

}  // namespace

Limiter::Limiter(MemoryStore& store, const Clock& clock)
    : store_{store}, memory_{&store}, clock_{clock} {}

Limiter::Limiter(Store& store, const Clock& clock)
    : store_{store}, memory_{dynamic_cast<MemoryStore*>(&store)}, clock_{clock} {}

Expected<Decision> Limiter::take(std::string_view key, const Limit& limit, Cost cost) {
  return decide_one(key, limit, cost, false);
}

Expected<Decision> Limiter::check(std::string_view key, const Limit& limit, Cost cost) {
  return decide_one(key, limit, cost, true);
}

Expected<Verdict> Limiter::take(std::span<const Take> takes, Charge charge) {
  return decide(takes, charge, false);
}

Expected<Verdict> Limiter::take(std::initializer_list<Take> takes, Charge charge) {
  return decide({takes.begin(), takes.size()}, charge, false);
}

Expected<void> Limiter::give_back(std::string_view key, const Limit& limit, Cost cost,
                                  std::optional<Time> at) {
  return finish(store_, GiveBackOp{.key = key, .limit = limit, .cost = cost, .at = at});
}

Expected<void> Limiter::reset(std::string_view key) {
  return finish(store_, ResetOp{.key = key});
}

Expected<Decision> Limiter::acquire(std::string_view key, const Limit& limit, Time deadline,
                                    Cost cost) {
  while (true) {
    Expected<Decision> decision = take(key, limit, cost);
    if (!decision || decision->allowed || decision->retry_after == kNever) return decision;
    const Time again = clock_.now() + decision->retry_after;
    if (again > deadline) return decision;
    clock_.sleep_until(again);
  }
}

Expected<Decision> Limiter::decide_one(std::string_view key, const Limit& limit, Cost cost,
                                       bool check_only) {
  if (memory_ != nullptr) {
    if (cost < 0 || key.size() > kMaxKeyBytes) return tl::unexpected{*problem_with(key, cost)};
    return check_only ? memory_->check(key, limit, cost) : memory_->take(key, limit, cost);
  }
  const Take one{.key = key, .limit = limit, .cost = cost};
  return decide({&one, 1}, Charge::kAllOrNothing, check_only).map([](const Verdict& verdict) {
    return verdict.decisions.front();
  });
}

Expected<Verdict> Limiter::decide(std::span<const Take> takes, Charge charge, bool check_only) {
  Awaited<TakeOp> op{{.takes = takes, .charge = charge, .check_only = check_only}};
  submit_and_wait(store_, op);
  if (op.error) return tl::unexpected{*std::move(op.error)};
  return std::move(op.verdict);
}

}  // namespace tidegate
