#include "tidegate/store/redis/options.h"

namespace tidegate {

std::string place(const RedisOptions& options) {
  const std::string user = options.user.empty() ? "" : options.user + "@";
  if (options.address.is_unix()) return "unix://" + user + options.address.path;
  return (options.tls ? "rediss://" : "redis://") + user + options.address.to_string() + "/" +
         std::to_string(options.db);
}

std::string in_words(Duration duration) {
  const auto us = duration.count();
  if (us % 1'000'000 == 0) return std::to_string(us / 1'000'000) + " s";
  return us % 1'000 == 0 ? std::to_string(us / 1'000) + " ms" : std::to_string(us) + " us";
}

}  // namespace tidegate
