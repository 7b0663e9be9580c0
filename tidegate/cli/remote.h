// A store at the other end of a connection: a `tidegate serve`, asked in the Redis protocol.
//
//   auto store = RemoteStore::connect("127.0.0.1:6380", password);
//   Limiter limiter{**store, clock};
//
// Operations complete before `submit` returns. Of several takes the server tells the one that
// bound, so the other decisions of such a verdict are empty; waits are whole milliseconds, rounded
// up. Thread safety: none. Cost: a round trip each; waits for it, up to ten seconds.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/net/socket.h"
#include "tidegate/store/store.h"
#include "tidegate/wire/resp_reply.h"

namespace tidegate::cli {

class RemoteStore final : public Store {
 public:
  // HOST:PORT or unix:PATH. The password is said first, unless it is empty.
  static Expected<std::unique_ptr<RemoteStore>> connect(std::string_view server,
                                                        std::string_view password);

  void submit(TakeOp& op) override;
  void submit(GiveBackOp& op) override;
  void submit(ResetOp& op) override;

 private:
  using Words = std::span<const std::string_view>;
  using Reply = std::span<const resp::ReplyNode>;

  RemoteStore(net::Socket socket, std::string server);

  Expected<Verdict> take(const TakeOp& op);
  // The reply stays until the next question.
  Expected<Reply> ask(Words request);
  Expected<void> ask_for_ok(Words request);
  Expected<void> send(std::string_view bytes);
  Expected<void> receive();
  tl::unexpected<Error> fail(std::string what) const;

  const net::Socket socket_;
  const std::string server_;
  resp::ReplyReader reader_;
  std::string request_;
  std::string received_;
};

}  // namespace tidegate::cli
