// Redis options from a URL:
//
//   redis://[USER[:PASSWORD]@]HOST[:PORT][/DB][?NAME=VALUE&...]      6379 and 0 without
//   rediss://...                                                     the same, over TLS
//   unix://[USER[:PASSWORD]@]/PATH[?NAME=VALUE&...]
//
//   db, prefix, user, password_file        timeout, connect_timeout (10ms, 1s)
//   on_error (allow, deny, error)          layout (zset, list, counter; several with commas)
//   ca, cert, key, server_name             of rediss:// alone
//
// %XX stands for a byte anywhere. Secrets that the URL does not have come from the environment:
// TIDEGATE_REDIS_USER, TIDEGATE_REDIS_PASSWORD, TIDEGATE_REDIS_PASSWORD_FILE. No error repeats a
// secret. Thread safety: pure but for the files it reads. Cost: some allocations.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/store/redis/options.h"

namespace tidegate {

// The value of a variable, or nothing.
using Environment = std::function<std::optional<std::string>(const char* name)>;

std::optional<std::string> process_environment(const char* name);

// What the URL leaves out stays as it is in `defaults`.
Expected<RedisOptions> parse_redis_url(std::string_view url, const RedisOptions& defaults = {},
                                       const Environment& environment = process_environment);

}  // namespace tidegate
