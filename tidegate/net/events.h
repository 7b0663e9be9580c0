// What a network tells about itself while it runs, to whoever logs or counts it.
//
// Thread safety: members are called on the event loops, several at a time. They must not block.
#pragma once

#include <cstdint>
#include <string_view>

#include "tidegate/base/expected.h"

namespace tidegate::net {

// Why a connection ended.
enum class Cause : std::uint8_t {
  kFinished,      // all was said, on both sides
  kBroken,        // the peer has reset it, or the network has
  kTls,           // the handshake failed
  kIdle,          // silent for longer than it may be
  kUnread,        // the peer does not take its answers
  kDrainTimeout,  // the same, when all were to end
};

constexpr std::string_view name(Cause cause) {
  constexpr std::string_view kNames[] = {"finished", "broken", "tls",
                                         "idle",     "unread", "drain_timeout"};
  return kNames[static_cast<std::size_t>(cause)];
}

class Events {
 public:
  virtual ~Events() = default;
  virtual void opened(std::string_view /*peer*/) {}
  virtual void closed(std::string_view /*peer*/, Cause /*cause*/, std::string_view /*why*/) {}
  virtual void refused(std::string_view /*peer*/) {}       // above the limit of connections
  virtual void accept_failed(const Error& /*problem*/) {}  // it is tried again
  virtual void draining() {}
  virtual void tls_reloaded(std::string_view /*cert*/) {}
  virtual void tls_not_reloaded(const Error& /*problem*/) {}
};

}  // namespace tidegate::net
