// Where a Redis is, who asks it, and how long one waits for it. Read from a URL by url.h.
//
// A plain value. It holds secrets: `place` is what may be shown of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tidegate/base/time.h"
#include "tidegate/net/address.h"
#include "tidegate/store/failover.h"

namespace tidegate {

// Paths of PEM files. The server's certificate is always verified.
struct RedisTls {
  std::string ca = {};    // empty: the system's
  std::string cert = {};  // of this client; empty: none
  std::string key = {};
  std::string server_name = {};  // what the certificate must name; empty: the host

  bool operator==(const RedisTls&) const = default;
};

// Shapes of keys that other services write, for sliding_window and fixed_window.
enum class SlidingWindowLayout : std::uint8_t { kOwn, kZset, kList };
enum class FixedWindowLayout : std::uint8_t { kOwn, kCounter };

struct RedisOptions {
  net::Address address = {.host = "127.0.0.1", .port = 6379};
  std::string user = {};      // empty: Redis' own "default"
  std::string password = {};  // empty: none
  std::uint32_t db = 0;
  std::optional<RedisTls> tls = {};

  std::string prefix = "tidegate:";  // of every key's name; without braces
  SlidingWindowLayout sliding_window = SlidingWindowLayout::kOwn;
  FixedWindowLayout fixed_window = FixedWindowLayout::kOwn;

  Duration timeout{10'000};             // of a request
  Duration connect_timeout{1'000'000};  // until a connection can be used; and how long one that is
                                        // asked may be silent
  OnStoreError on_store_error = OnStoreError::kAllow;
  std::size_t max_waiting = 16'384;  // requests without an answer, on one connection

  bool operator==(const RedisOptions&) const = default;
};

// `redis://user@host:port/db`, without secrets.
std::string place(const RedisOptions& options);

// `10 ms`
std::string in_words(Duration duration);

}  // namespace tidegate
