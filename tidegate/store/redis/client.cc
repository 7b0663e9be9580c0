#include "tidegate/store/redis/client.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/store/redis/server_check.h"

namespace tidegate::redis {
namespace {

constexpr Duration kCheckPatience{std::chrono::seconds{1}};
constexpr int kMaxSendings = 3;  // of one operation, while the server forgets the script

template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

// The word that an error begins with. Redis before 7 wraps what a command in a script met.
std::string_view code_of(std::string_view text) {
  const std::size_t inner = text.find(": -");
  if (text.starts_with("ERR ") && inner != std::string_view::npos) text.remove_prefix(inner + 3);
  return text.substr(0, text.find(' '));
}

std::string_view key_of(const TakeOp& op, std::size_t number) {
  return op.takes[std::min(number, op.takes.size()) - 1].key;
}
std::string_view key_of(const GiveBackOp& op, std::size_t) {
  return op.key;
}
std::string_view key_of(const ResetOp& op, std::size_t) {
  return op.key;
}

// `TIDEGATE key 2 holds a list`: with the key itself in place of its number.
template <class Op>
Error key_error(const Op& op, std::string_view text) {
  text.remove_prefix(std::min(text.size(), std::string_view{"TIDEGATE key "}.size()));
  std::size_t number = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9' && number <= kMaxTakes) {
    number = number * 10 + static_cast<std::size_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  if (text.starts_with(' ')) text.remove_prefix(1);
  return {"key " + quoted(key_of(op, std::max<std::size_t>(number, 1))), std::string{text}};
}

template <class Op>
void complete(Op& op, const std::optional<Error>& error) {
  op.error = error;
  op.complete(op);
}

bool live(const Call& call) {
  return !std::holds_alternative<std::monostate>(call);
}

}  // namespace

Client::Client(asio::io_context& loop, std::shared_ptr<Shared> shared)
    : loop_{loop},
      shared_{std::move(shared)},
      backoff_{std::random_device{}()},
      calls_{shared_->names, shared_->parts.decide_by},
      reconnect_{loop},
      deadlines_{loop} {}

void Client::start() {
  asio::post(loop_, [self = shared_from_this()] { self->connect(); });
}

void Client::close() {
  state_ = State::kClosed;
  away_because_ = at_server("the store is being closed");
  if (connection_) connection_->close();
  connection_.reset();
  reconnect_.cancel();
  deadlines_.cancel();
  take_inbox();
  fail_all(sent_, away_because_);
  fail_all(unsent_, away_because_);
}

void Client::connect() {
  if (state_ == State::kClosed) return;
  connection_ = Connection::open(loop_, shared_->options, shared_->tls, *this);
}

void Client::connect_later() {
  reconnect_.expires_after(backoff_.next());
  reconnect_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->connect();
  });
}

void Client::on_ready(const RedisServerFacts& server) {
  state_ = State::kReady;
  shared_->events().connected(server);
  if (!shared_->checked.exchange(true)) check(server);
  Fifo<Slot> waited = std::exchange(unsent_, {});
  while (!waited.empty())
    if (Slot slot = waited.pop(); live(slot.call)) send(std::move(slot), By::kSha1);
}

void Client::check(const RedisServerFacts& server) {
  const ServerCheck check{
      .names = shared_->names,
      .decide_by = shared_->parts.decide_by,
      .ask =
          [this](std::string request, RedisStore::OnReply done) {
            submit(std::make_unique<Question>(Question{
                std::move(request), shared_->clock().now() + kCheckPatience, std::move(done)}));
          },
      .warn =
          [shared = shared_](std::string what) {
            shared->events().warned({place(shared->options), std::move(what)});
          }};
  check.start(server);
}

void Client::on_closed(const std::string& why) {
  connection_.reset();
  const Error error = at_server(why);
  const bool was_ready = state_ == State::kReady;
  const bool at_once = was_ready && backoff_.fresh();
  state_ = at_once ? State::kConnecting : State::kAway;
  away_because_ = error;
  was_ready ? shared_->events().disconnected(error) : shared_->events().connect_failed(error);
  at_once ? connect() : connect_later();
  fail_all(sent_, error);
  if (!at_once) fail_all(unsent_, error);
}

// Gives the connection up.
void Client::drop(const std::string& why) {
  connection_->close();
  on_closed(why);
}

Time Client::deadline_of(const Call& call, Time now) const {
  const Time usual = now + shared_->options.timeout;
  return std::visit(
      Cases{[&](std::monostate) { return usual; },
            [](const std::unique_ptr<Question>& question) { return question->deadline; },
            [&](const auto* op) { return std::min(op->deadline, usual); }},
      call);
}

void Client::submit(Call call) {
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  admit(std::move(call));
}

void Client::admit(Call call) {
  if (state_ == State::kAway || state_ == State::kClosed)
    return fail(std::move(call), StoreTrouble::kAway, away_because_);
  if (sent_.size() + unsent_.size() >= shared_->options.max_waiting)
    return fail(std::move(call), StoreTrouble::kCrowded,
                at_server("too many requests wait for an answer"));
  const Time now = shared_->clock().now();
  const Time deadline = deadline_of(call, now);
  watch(deadline);
  Slot slot{.call = std::move(call), .since = now, .deadline = deadline};
  state_ == State::kReady ? send(std::move(slot), By::kSha1) : unsent_.push(std::move(slot));
}

void Client::hand_over(Call call) {
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  bool first = false;
  {
    const SpinGuard guard{lock_};
    first = inbox_.empty();
    inbox_.push_back(std::move(call));
  }
  if (first) asio::post(loop_, [self = shared_from_this()] { self->take_inbox(); });
}

void Client::take_inbox() {
  std::vector<Call> calls;
  {
    const SpinGuard guard{lock_};
    calls.swap(inbox_);
  }
  for (Call& call : calls) admit(std::move(call));
}

void Client::send(Slot slot, By by) {
  std::string& output = connection_->output();
  std::visit(Cases{[](std::monostate) {},
                   [&](const std::unique_ptr<Question>& question) { output += question->request; },
                   [&](const auto* op) { calls_.append(output, *op, by); }},
             slot.call);
  slot.serial = ++serial_;
  ++slot.sendings;
  if (by == By::kText) text_serial_ = serial_;
  if (sent_.empty()) heard_ = shared_->clock().now();
  sent_.push(std::move(slot));
  connection_->flush();
}

// The server did not know the script, so nothing has been counted. One operation brings the whole
// text; those that were sent before it find it there when they come again.
void Client::send_again(Slot slot) {
  if (slot.sendings >= kMaxSendings)
    return fail(std::move(slot.call), StoreTrouble::kRefused,
                at_server("it forgets the script again and again"));
  const bool text_is_on_its_way = slot.serial < text_serial_;
  send(std::move(slot), text_is_on_its_way ? By::kSha1 : By::kText);
}

void Client::on_reply(Nodes reply) {
  if (sent_.empty()) return drop("it answers what was not asked");
  heard_ = shared_->clock().now();
  backoff_.reset();
  Slot slot = sent_.pop();
  if (!live(slot.call)) return;
  const bool question = std::holds_alternative<std::unique_ptr<Question>>(slot.call);
  if (reply.front().type == resp::ReplyNode::Type::kError && !question)
    return on_error(std::move(slot), reply.front().text);
  if (!question) shared_->events().answered(heard_ - slot.since);
  answer(std::move(slot.call), reply);
}

void Client::on_error(Slot slot, std::string_view text) {
  const std::string_view code = code_of(text);
  if (code == "NOSCRIPT") return send_again(std::move(slot));
  if (code == "TIDEGATE") {
    const Error why = std::visit(
        Cases{[&](auto* op) { return key_error(*op, text); }, [](const auto&) { return Error{}; }},
        slot.call);
    return refuse(std::move(slot.call), why);
  }
  const std::string why = "it refuses: " + quoted(text);
  fail(std::move(slot.call), StoreTrouble::kRefused, at_server(why));
  // Another server has become the master; a new connection may reach it.
  if (code == "READONLY" && connection_) drop(why);
}

void Client::answer(Call call, Nodes reply) {
  const bool understood =
      std::visit(Cases{[&](auto* op) { return !reply.empty() && read_reply(reply, *op); },
                       [](const auto&) { return true; }},
                 call);
  if (!understood)
    return fail(std::move(call), StoreTrouble::kRefused,
                at_server("its reply is not that of the script"));
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  std::visit(Cases{[](std::monostate) {},
                   [&](std::unique_ptr<Question>& question) { question->done(reply); },
                   [](auto* op) { complete(*op, std::nullopt); }},
             call);
}

// It is the request's own fault.
void Client::refuse(Call call, const Error& why) {
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  std::visit(
      Cases{[](std::monostate) {},
            [&](std::unique_ptr<Question>& question) { question->done(tl::unexpected{why}); },
            [&](auto* op) { complete(*op, why); }},
      call);
}

// It is the store's.
void Client::fail(Call call, StoreTrouble trouble, const Error& why) {
  if (std::holds_alternative<std::unique_ptr<Question>>(call)) return refuse(std::move(call), why);
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  shared_->events().degraded(trouble, why);
  std::visit(Cases{[&](auto* op) { shared_->failover.answer(*op, why); }, [](const auto&) {}},
             call);
}

void Client::fail_all(Fifo<Slot>& slots, const Error& why) {
  Fifo<Slot> lost = std::exchange(slots, {});
  while (!lost.empty())
    if (Slot slot = lost.pop(); live(slot.call))
      fail(std::move(slot.call), StoreTrouble::kAway, why);
}

void Client::watch(Time deadline) {
  if (deadline >= watched_) return;
  watched_ = deadline;
  deadlines_.expires_after(std::max(deadline - shared_->clock().now(), Duration{0}));
  deadlines_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->on_timer();
  });
}

void Client::on_timer() {
  const Time now = shared_->clock().now();
  watched_ = kEndOfTime;
  Time next = std::min(expire(unsent_, now), expire(sent_, now));
  if (state_ == State::kReady && !sent_.empty()) {
    const Time given_up = heard_ + shared_->options.connect_timeout;
    if (given_up <= now)
      return drop("it is silent for " + in_words(shared_->options.connect_timeout));
    next = std::min(next, given_up);
  }
  watch(next);
}

// Answers what is too late, and returns the next deadline.
Time Client::expire(Fifo<Slot>& slots, Time now) {
  Time next = kEndOfTime;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!live(slots[i].call)) continue;
    if (slots[i].deadline > now) {
      next = std::min(next, slots[i].deadline);
      continue;
    }
    fail(std::exchange(slots[i].call, {}), StoreTrouble::kLate, at_server("no answer in time"));
  }
  return next;
}

Error Client::at_server(const std::string& why) const {
  return {place(shared_->options), why};
}

}  // namespace tidegate::redis
