// A running server: one store in this process, and Redis clients that ask it.
//
//   auto server = Server::start(settings, "0.1.0", clock, log);
//   if (server) (*server)->run();          // until it is told to stop
//
// Thread safety: `stop` and `addresses` may be called from any thread. Cost: a thread for each of
// `settings.threads` but the first, which is the caller's, and one that sweeps the store.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/net/address.h"
#include "tidegate/server/log.h"
#include "tidegate/server/settings.h"

namespace tidegate::server {

class Server {
 public:
  // Listens, and says so in the log. The clock and the log must outlive the server.
  static Expected<std::unique_ptr<Server>> start(const Settings& settings,
                                                 const std::string& version, const Clock& clock,
                                                 Log& log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // With their real ports.
  const std::vector<net::Address>& addresses() const;

  // SIGTERM and SIGINT stop it. For the process that is this server and nothing else.
  void obey_signals();

  // Serves until `stop` has done its work.
  void run();

  // Answers what was asked until now, then ends; called again, it ends at once.
  void stop();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace tidegate::server
