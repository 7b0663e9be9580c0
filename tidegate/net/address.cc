#include "tidegate/net/address.h"

#include <sys/un.h>

#include <charconv>
#include <optional>

#include "tidegate/base/quote.h"

namespace tidegate::net {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::size_t kMaxPath = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::size_t kMaxHost = 253;

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, port);
  if (text.empty() || failure != std::errc{} || stop != end) return std::nullopt;
  return port;
}

tl::unexpected<Error> refuse(std::string_view text, std::string what) {
  return error("address " + quoted(text), std::move(what));
}

Expected<Address> parse_unix(std::string_view text) {
  const std::string_view path = text.substr(kUnix.size());
  if (path.empty() || path.size() > kMaxPath || path.find('\0') != std::string_view::npos)
    return refuse(text, "expected a path of 1 to " + std::to_string(kMaxPath) +
                            " bytes, as in unix:/run/tidegate.sock");
  return Address{.path = std::string{path}};
}

// The host without the brackets that an IPv6 address needs; nothing when it lacks or misuses them.
std::optional<std::string_view> read_host(std::string_view text) {
  if (text.size() > kMaxHost) return std::nullopt;
  const bool opens = text.starts_with('[');
  const bool closes = text.ends_with(']');
  if (opens && closes && text.size() > 2) return text.substr(1, text.size() - 2);
  if (opens || closes || text.find(':') != std::string_view::npos) return std::nullopt;
  return text;
}

}  // namespace

Expected<Address> Address::parse(std::string_view text) {
  if (text.starts_with(kUnix)) return parse_unix(text);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return refuse(text, "expected HOST:PORT, as in 127.0.0.1:6380, or unix:PATH");
  const auto host = read_host(text.substr(0, colon));
  if (!host) return refuse(text, "expected a host before the port, an IPv6 one as in [::1]:6380");
  const auto port = read_port(text.substr(colon + 1));
  if (!port) return refuse(text, "expected a port behind the colon, 0 to 65535");
  return Address{.host = std::string{*host}, .port = *port};
}

std::string Address::to_string() const {
  if (is_unix()) return std::string{kUnix} + path;
  const bool six = host.find(':') != std::string::npos;
  return (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace tidegate::net
