#include "tidegate/frontend/resp/ask.h"

#include <memory>
#include <utility>
#include <vector>

#include "tidegate/frontend/resp/conversation.h"

namespace tidegate::frontend {
namespace {

Time deadline_of(const RespService& service) {
  const Duration timeout = service.options().store_timeout;
  return timeout == Duration{0} ? kEndOfTime : service.clock().now() + timeout;
}

// An operation whose answer may come after its connection has gone. It owns what it points at, and
// goes when it completes.
template <class Op>
class Asked : public Op {
 public:
  Asked(Client& client, Op op)
      : Op{std::move(op)}, loop_{client.loop}, outbox_{client.outbox}, protocol_{client.protocol} {
    client.settle();
    slot_ = client.outbox->slots.open();
    this->deadline = deadline_of(client.loop.service());
  }

 protected:
  RespLoop& loop() const { return loop_; }
  resp::ReplyWriter reply() { return {outbox_->slots.text(slot_), protocol_}; }

  // Answers: an error, or what `write` writes.
  template <class Write>
  void answer(Write&& write) {
    if (this->error) {
      loop_.errors.add(1);
      reply().error("ERR " + this->error->message());
    } else {
      write();
    }
    outbox_->slots.resolve(slot_);
    if (outbox_->conversation != nullptr) outbox_->conversation->answered();
  }

 private:
  RespLoop& loop_;
  const std::shared_ptr<Outbox> outbox_;
  const resp::Protocol protocol_;
  Slots::Number slot_ = 0;
};

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
      self->answer([&] { self->write(); });
    };
  }

  WriteDecision write_decision = nullptr;  // one of the two
  WriteVerdict write_verdict = nullptr;

 private:
  void write() {
    if (!check_only)
      for (std::size_t i = 0; i < takes_own_.size(); ++i)
        loop().count(takes_own_[i].key, takes_own_[i].limit, verdict.decisions[i]);
    resp::ReplyWriter to = reply();
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
      self->answer([&] { self->reply().ok(); });
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
      self->answer([&] { self->reply().ok(); });
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
  resp::ReplyWriter reply{outbox->slots.next(), protocol};
  loop.batch.decide(*loop.service().memory(),
                    [&](const Take& take, const Decision& decision, WriteDecision write) {
                      loop.count(take.key, take.limit, decision);
                      write(reply, decision);
                    });
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
