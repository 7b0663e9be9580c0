#include "tidegate/frontend/resp/ask.h"

#include <memory>
#include <utility>
#include <vector>

#include "tidegate/frontend/resp/late_reply.h"

namespace tidegate::frontend {
namespace {

Time deadline_of(const RespService& service, Time now) {
  const Duration timeout = service.options().store_timeout;
  return timeout == Duration{0} ? kEndOfTime : now + timeout;
}

// An operation whose answer may come after its connection has gone. It owns what it points at, and
// goes when it completes.
template <class Op>
class Asked : public Op {
 public:
  Asked(Client& client, Op op)
      : Op{std::move(op)}, reply_{client}, asked_{client.loop.service().clock().now()} {
    this->deadline = deadline_of(client.loop.service(), asked_);
  }

 protected:
  RespLoop& loop() const { return reply_.loop(); }

  template <class Write>
  void answer(Write&& write) {
    loop().latency.add(loop().service().clock().now() - asked_);
    reply_.make(this->error, std::forward<Write>(write));
  }

 private:
  LateReply reply_;
  const Time asked_;
};

void write_ok(resp::ReplyWriter& reply) {
  reply.ok();
}

class AskedTakes final : public Asked<TakeOp> {
 public:
  AskedTakes(Client& client, std::span<const Take> takes, Ask what)
      : Asked{client, {.takes = {}, .charge = client.loop.service().options().charge}},
        takes_own_{takes.begin(), takes.end()} {
    std::size_t bytes = 0;
    for (const Take& take : takes) bytes += take.key.size();
    keys_.reserve(bytes);  // views into it stay good
    for (Take& take : takes_own_) {
      const std::size_t begin = keys_.size();
      keys_ += take.key;
      take.key = std::string_view{keys_}.substr(begin);
    }
    this->takes = takes_own_;
    this->check_only = what == Ask::kCheck;
    this->complete = [](TakeOp& op) {
      const std::unique_ptr<AskedTakes> self{static_cast<AskedTakes*>(&op)};
      self->answer([&](resp::ReplyWriter& to) { self->write(to); });
    };
  }

  WriteDecision write_decision = nullptr;  // one of the two
  WriteVerdict write_verdict = nullptr;

 private:
  void write(resp::ReplyWriter& to) const {
    if (!check_only)
      for (std::size_t i = 0; i < takes_own_.size(); ++i)
        loop().count(takes_own_[i].key, takes_own_[i].limit, verdict.decisions[i]);
    if (write_decision != nullptr) {
      write_decision(to, verdict.decisions.front());
    } else {
      write_verdict(to, verdict);
    }
  }

  std::string keys_;
  std::vector<Take> takes_own_;
};

class AskedGiveBack final : public Asked<GiveBackOp> {
 public:
  AskedGiveBack(Client& client, std::string_view key, const Limit& limit, Cost cost,
                std::optional<Time> at)
      : Asked{client, {.key = {}, .limit = limit, .cost = cost, .at = at}}, key_own_{key} {
    this->key = key_own_;
    this->complete = [](GiveBackOp& op) {
      const std::unique_ptr<AskedGiveBack> self{static_cast<AskedGiveBack*>(&op)};
      self->answer(write_ok);
    };
  }

 private:
  const std::string key_own_;
};

class AskedReset final : public Asked<ResetOp> {
 public:
  AskedReset(Client& client, std::string_view key) : Asked{client, {}}, key_own_{key} {
    this->key = key_own_;
    this->complete = [](ResetOp& op) {
      const std::unique_ptr<AskedReset> self{static_cast<AskedReset*>(&op)};
      self->answer(write_ok);
    };
  }

 private:
  const std::string key_own_;
};

void ask_memory(Client& client, MemoryStore& store, const Take& take, Ask what,
                WriteDecision write) {
  if (const auto problem = problem_with(take.key, take.cost)) return client.refuse(*problem);
  if (what == Ask::kTake) {
    if (client.loop.batch.full()) client.settle();
    return client.loop.batch.add(take, write);
  }
  resp::ReplyWriter reply = client.reply();  // after the takes before it are decided
  write(reply, store.check(take.key, take.limit, take.cost));
}

}  // namespace

void Client::settle_batch() {
  const Clock& clock = loop.service().clock();
  const Time asked = clock.now();
  const std::size_t takes = loop.batch.size();
  resp::ReplyWriter reply{outbox->slots.next(), protocol};
  loop.batch.decide(*loop.service().memory(),
                    [&](const Take& take, const Decision& decision, WriteDecision write) {
                      loop.count(take.key, take.limit, decision);
                      write(reply, decision);
                    });
  loop.latency.add(clock.now() - asked, takes);
}

void ask(Client& client, const Take& take, Ask what, WriteDecision write) {
  const RespService& service = client.loop.service();
  if (service.memory() != nullptr) return ask_memory(client, *service.memory(), take, what, write);
  auto* asked = new AskedTakes{client, {&take, 1}, what};
  asked->write_decision = write;
  service.store().submit(*asked);  // it owns itself from here
}

void ask(Client& client, std::span<const Take> takes, WriteVerdict write) {
  auto* asked = new AskedTakes{client, takes, Ask::kTake};
  asked->write_verdict = write;
  client.loop.service().store().submit(*asked);
}

void give_back(Client& client, std::string_view key, const Limit& limit, Cost cost,
               std::optional<Time> at) {
  client.loop.service().store().submit(*new AskedGiveBack{client, key, limit, cost, at});
}

void reset(Client& client, std::string_view key) {
  client.loop.service().store().submit(*new AskedReset{client, key});
}

}  // namespace tidegate::frontend
