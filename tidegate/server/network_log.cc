#include "tidegate/server/network_log.h"

#include "tidegate/net/notify.h"

namespace tidegate::server {

void NetworkLog::opened(std::string_view peer) {
  log_.debug("connection opened", {{"peer", peer}});
}

void NetworkLog::closed(std::string_view peer, net::Cause cause, std::string_view why) {
  log_.debug("connection closed", {{"peer", peer}, {"cause", net::name(cause)}, {"why", why}});
}

void NetworkLog::refused(std::string_view peer) {
  log_.debug("connection refused", {{"peer", peer}});
}

void NetworkLog::accept_failed(const Error& problem) {
  log_.warn("accepting fails", {{"where", problem.where}, {"why", problem.what}});
}

void NetworkLog::draining() {
  draining_.store(true, std::memory_order_relaxed);
  net::notify("STOPPING=1");
  log_.info("stopping");
}

void NetworkLog::tls_reloaded(std::string_view cert) {
  log_.info("certificate reloaded", {{"file", cert}});
}

void NetworkLog::tls_not_reloaded(const Error& problem) {
  log_.error("certificate not reloaded", {{"where", problem.where}, {"why", problem.what}});
}

}  // namespace tidegate::server
