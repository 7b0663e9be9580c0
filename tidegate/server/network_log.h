// What the network tells about itself, as lines of the log; and to systemd, that it stops.
//
// Thread safety: as the log. Connections that come and go are told at the level debug alone.
#pragma once

#include <atomic>

#include "tidegate/net/events.h"
#include "tidegate/server/log.h"

namespace tidegate::server {

class NetworkLog final : public net::Events {
 public:
  explicit NetworkLog(Log& log) : log_{log} {}

  void opened(std::string_view peer) override;
  void closed(std::string_view peer, net::Cause cause, std::string_view why) override;
  void refused(std::string_view peer) override;
  void accept_failed(const Error& problem) override;
  void draining() override;
  bool is_draining() const { return draining_.load(std::memory_order_relaxed); }
  void tls_reloaded(std::string_view cert) override;
  void tls_not_reloaded(const Error& problem) override;

 private:
  Log& log_;
  std::atomic<bool> draining_{false};
};

}  // namespace tidegate::server
