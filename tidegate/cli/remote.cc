#include "tidegate/cli/remote.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "tidegate/wire/resp_request.h"

namespace tidegate::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{16} * 1024;
constexpr timeval kPatience{.tv_sec = 10, .tv_usec = 0};

// The words of a request; numbers and limits become texts that live as long as it does.
class Request {
 public:
  Request& text(std::string_view word) {
    words_.push_back(word);
    return *this;
  }
  Request& own(std::string word) {
    return text(*owned_.emplace_back(std::make_unique<std::string>(std::move(word))));
  }
  Request& take(const Take& take) {
    return text(take.key).own(take.limit.to_string()).own(std::to_string(take.cost));
  }
  operator std::span<const std::string_view>() const { return words_; }  // NOLINT

 private:
  std::vector<std::string_view> words_;
  std::vector<std::unique_ptr<std::string>> owned_;
};

Request request_for(const TakeOp& op) {
  Request request;
  if (op.takes.size() == 1)
    return std::move(request.text(op.check_only ? "RL.CHECK" : "RL.TAKE").take(op.takes.front()));
  request.text("RL.MTAKE").own(std::to_string(op.takes.size()));
  for (const Take& take : op.takes) request.take(take);
  return request;
}

// What the numbers of a reply mean, in their order: docs/resp.md.
enum Field : std::size_t { kAllowed, kLimit, kRemaining, kRetry, kReset, kAt, kBinding };

std::optional<std::vector<std::int64_t>> integers_of(std::span<const resp::ReplyNode> reply) {
  if (reply.front().type != resp::ReplyNode::Type::kArray) return std::nullopt;
  std::vector<std::int64_t> integers;
  for (const resp::ReplyNode& node : reply.subspan(1)) {
    if (node.type != resp::ReplyNode::Type::kInteger) return std::nullopt;
    integers.push_back(node.integer);
  }
  return integers;
}

Decision decision_of(const std::vector<std::int64_t>& fields) {
  using std::chrono::milliseconds;
  return {.at = Time{Duration{fields[kAt]}},
          .retry_after = fields[kRetry] < 0 ? kNever : milliseconds{fields[kRetry]},
          .reset_after = milliseconds{fields[kReset]},
          .capacity = static_cast<std::uint32_t>(fields[kLimit]),
          .remaining = static_cast<std::uint32_t>(fields[kRemaining]),
          .allowed = fields[kAllowed] != 0};
}

std::optional<Verdict> verdict_of(std::span<const resp::ReplyNode> reply, std::size_t takes) {
  const auto fields = integers_of(reply);
  if (!fields || fields->size() != (takes == 1 ? kAt : kBinding) + 1) return std::nullopt;
  const std::size_t binding = takes == 1 ? 0 : static_cast<std::size_t>(fields->at(kBinding));
  if (binding >= takes) return std::nullopt;
  Verdict verdict{.decisions = std::vector<Decision>(takes), .binding = binding};
  verdict.decisions[binding] = decision_of(*fields);
  verdict.allowed = verdict.bound().allowed;
  return verdict;
}

template <class Op>
void complete(Op& op, std::optional<Error> error) {
  op.error = std::move(error);
  if (op.complete != nullptr) op.complete(op);
}

template <class Op, class T>
void complete_with(Op& op, const Expected<T>& outcome) {
  complete(op, outcome ? std::nullopt : std::optional{outcome.error()});
}

}  // namespace

RemoteStore::RemoteStore(net::Socket socket, std::string server)
    : socket_{std::move(socket)}, server_{std::move(server)} {
  setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  setsockopt(socket_.fd(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
}

Expected<std::unique_ptr<RemoteStore>> RemoteStore::connect(std::string_view server,
                                                            std::string_view password) {
  const auto address = net::Address::parse(server);
  if (!address) return tl::unexpected{Error{"--server", address.error().message()}};
  auto socket = net::connect_to(*address);
  if (!socket) return tl::unexpected{Error{"--server", socket.error().message()}};
  std::unique_ptr<RemoteStore> store{
      new RemoteStore{*std::move(socket), "server " + address->to_string()}};
  const std::string_view login[] = {"AUTH", password};
  const Expected<void> welcome = password.empty() ? Expected<void>{} : store->ask_for_ok(login);
  return welcome.map([&] { return std::move(store); });
}

void RemoteStore::submit(TakeOp& op) {
  if (auto problem = problem_with(op.takes)) return complete(op, std::move(problem));
  auto verdict = take(op);
  if (verdict) op.verdict = *std::move(verdict);
  complete_with(op, verdict);
}

void RemoteStore::submit(GiveBackOp& op) {
  Request request;
  request.text("RL.GIVEBACK").take({.key = op.key, .limit = op.limit, .cost = op.cost});
  if (op.at) request.own(std::to_string(op.at->time_since_epoch().count()));
  complete_with(op, ask_for_ok(request));
}

void RemoteStore::submit(ResetOp& op) {
  const std::string_view request[] = {"RL.RESET", op.key};
  complete_with(op, ask_for_ok(request));
}

Expected<Verdict> RemoteStore::take(const TakeOp& op) {
  return ask(request_for(op)).and_then([&](Reply reply) -> Expected<Verdict> {
    if (auto verdict = verdict_of(reply, op.takes.size())) return *std::move(verdict);
    return fail("answers a take as no tidegate does");
  });
}

Expected<void> RemoteStore::ask_for_ok(Words request) {
  return ask(request).map([](Reply) {});
}

Expected<RemoteStore::Reply> RemoteStore::ask(Words request) {
  request_.clear();
  resp::append_request(request_, request);
  if (auto sent = send(request_); !sent) return tl::unexpected{sent.error()};
  resp::ReplyReader::Next next;
  while ((next = reader_.next()) == resp::ReplyReader::Next::kMore)
    if (auto received = receive(); !received) return tl::unexpected{received.error()};
  if (next == resp::ReplyReader::Next::kError) return fail(reader_.error());
  const Reply reply = reader_.reply();
  if (reply.front().type == resp::ReplyNode::Type::kError)
    return fail(std::string{reply.front().text});
  return reply;
}

Expected<void> RemoteStore::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0 && errno != EINTR) return fail(std::strerror(errno));
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

Expected<void> RemoteStore::receive() {
  received_.resize(kBufferBytes);
  const ssize_t got = recv(socket_.fd(), received_.data(), received_.size(), 0);
  if (got < 0 && errno == EINTR) return receive();
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return fail("does not answer");
  if (got < 0) return fail(std::strerror(errno));
  if (got == 0) return fail("has closed the connection");
  reader_.feed({received_.data(), static_cast<std::size_t>(got)});
  return {};
}

tl::unexpected<Error> RemoteStore::fail(std::string what) const {
  return error(server_, std::move(what));
}

}  // namespace tidegate::cli
