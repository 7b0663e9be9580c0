#include "tidegate/store/redis/url.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/base/quote.h"

namespace tidegate {
namespace {

constexpr std::size_t kMaxUrl = 8192;
constexpr std::size_t kMaxSecret = 4096;
constexpr std::uint32_t kMaxDb = 1'000'000;
constexpr Duration kMaxTimeout{std::chrono::hours{1}};

using Done = Expected<void>;

tl::unexpected<Error> refuse(std::string_view part, std::string what) {
  return error("store URL, " + std::string{part}, std::move(what));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Without %XX; nothing when a % is not followed by two digits.
std::optional<std::string> unescape(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return bytes;
}

Done read_text(std::string_view part, std::string_view text, std::string& into) {
  std::optional<std::string> bytes = unescape(text);
  if (!bytes) return refuse(part, "expected two hex digits behind each %");
  into = *std::move(bytes);
  return {};
}

Done read_db(std::string_view text, std::uint32_t& into) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
  if (problem == std::errc{} && end == text.data() + text.size() && into <= kMaxDb) return {};
  return refuse("db", "expected a number of a database, as in /0, got " + quoted(text));
}

Done read_time(std::string_view part, std::string_view text, Duration& into) {
  const grammar::Outcome read = grammar::read_duration(text);
  const bool fits = read.problem == nullptr && Duration{read.spec.period} <= kMaxTimeout;
  if (!fits) return refuse(part, "expected a time up to 1h, as in 10ms, got " + quoted(text));
  into = read.spec.period;
  return {};
}

Done read_prefix(std::string_view text, std::string& into) {
  return read_text("prefix", text, into).and_then([&]() -> Done {
    if (into.find_first_of("{}") == std::string::npos) return {};
    return refuse("prefix", "braces would put every key into one slot of a cluster");
  });
}

Done read_on_error(std::string_view text, OnStoreError& into) {
  if (text == "allow")
    into = OnStoreError::kAllow;
  else if (text == "deny")
    into = OnStoreError::kDeny;
  else if (text == "error")
    into = OnStoreError::kError;
  else if (text == "local")
    into = OnStoreError::kLocal;
  else
    return refuse("on_error", "expected allow, deny, local or error, got " + quoted(text));
  return {};
}

Done read_layouts(std::string_view text, RedisOptions& options) {
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, end);
    if (word == "zset")
      options.sliding_window = SlidingWindowLayout::kZset;
    else if (word == "list")
      options.sliding_window = SlidingWindowLayout::kList;
    else if (word == "counter")
      options.fixed_window = FixedWindowLayout::kCounter;
    else
      return refuse("layout", "expected zset, list or counter, got " + quoted(word));
    if (end == text.size()) return {};
    text.remove_prefix(end + 1);
  }
}

// What a file holds, without the newline that editors end it with.
Done read_secret(const std::string& path, std::string& into) {
  std::ifstream file{path, std::ios::binary};
  std::string text;
  text.resize(kMaxSecret + 1);
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (!file.eof() && file.fail()))
    return error("password file " + quoted(path), "cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxSecret)
    return error("password file " + quoted(path), "expected at most 4096 bytes");
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  into = std::move(text);
  return {};
}

// The parts of a URL between their separators, still escaped.
struct Parts {
  std::string_view scheme;
  std::string_view user_info;
  std::string_view host;
  std::string_view path;  // without its first slash
  std::string_view query;
};

class UrlReader {
 public:
  UrlReader(const RedisOptions& defaults, const Environment& environment)
      : options_{defaults}, environment_{environment} {}

  Expected<RedisOptions> read(std::string_view url) {
    return split(url)
        .and_then([&] { return read_scheme(); })
        .and_then([&] { return read_address(); })
        .and_then([&] { return read_user_info(); })
        .and_then([&] { return read_query(); })
        .and_then([&] { return complete_secrets(); })
        .map([&] { return std::move(options_); });
  }

 private:
  Done split(std::string_view url);
  Done read_scheme();
  Done read_address();
  Done read_user_info();
  Done read_query();
  Done read_parameter(std::string_view name, std::string_view value);
  Done read_tls_parameter(std::string_view name, std::string_view value);
  Done complete_secrets();
  bool unix() const { return parts_.scheme == "unix"; }
  std::optional<std::string> variable(const char* name) const {
    return environment_ ? environment_(name) : std::nullopt;
  }

  RedisOptions options_;
  const Environment& environment_;
  Parts parts_;
  std::string password_file_;
};

Done UrlReader::split(std::string_view url) {
  if (url.size() > kMaxUrl) return refuse("whole", "expected at most 8192 bytes");
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    parts_.scheme = url.substr(0, scheme);
    url.remove_prefix(scheme + 3);
  }
  const std::size_t query = std::min(url.find('?'), url.size());
  if (query < url.size()) parts_.query = url.substr(query + 1);
  url = url.substr(0, query);
  const std::size_t path = std::min(url.find('/'), url.size());
  if (path < url.size()) parts_.path = url.substr(path + 1);
  parts_.host = url.substr(0, path);
  const std::size_t at = parts_.host.rfind('@');
  if (at == std::string_view::npos) return {};
  parts_.user_info = parts_.host.substr(0, at);
  parts_.host.remove_prefix(at + 1);
  return {};
}

Done UrlReader::read_scheme() {
  if (parts_.scheme == "rediss" && !options_.tls) options_.tls.emplace();
  if (parts_.scheme == "redis" || parts_.scheme == "rediss" || unix()) return {};
  return refuse("scheme", "expected redis://, rediss:// or unix://");
}

Done UrlReader::read_address() {
  if (unix()) {
    if (!parts_.host.empty() || parts_.path.empty())
      return refuse("path", "expected one from the root, as in unix:///run/redis.sock");
    options_.address = {};
    return read_text("path", parts_.path, options_.address.path).map([&] {
      options_.address.path.insert(0, "/");
    });
  }
  const bool has_port = parts_.host.rfind(':') + 1 > parts_.host.rfind(']') + 1;
  const std::string text = std::string{parts_.host} + (has_port ? "" : ":6379");
  const Expected<net::Address> address = net::Address::parse(text);
  // The text is not shown: with a slash in a password, it is a part of that.
  if (!address || address->host.empty() || address->port == 0)
    return refuse("address",
                  "expected HOST or HOST:PORT; in a user or password, write %2F for /, %40 for @");
  options_.address = *address;
  return parts_.path.empty() ? Done{} : read_db(parts_.path, options_.db);
}

Done UrlReader::read_user_info() {
  const std::size_t colon = std::min(parts_.user_info.find(':'), parts_.user_info.size());
  return read_text("user", parts_.user_info.substr(0, colon), options_.user)
      .and_then([&]() -> Done {
        if (colon == parts_.user_info.size()) return {};
        return read_text("password", parts_.user_info.substr(colon + 1), options_.password);
      });
}

Done UrlReader::read_query() {
  std::string_view rest = parts_.query;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
    if (Done done = read_parameter(pair.substr(0, equals), value); !done) return done;
  }
  return {};
}

Done UrlReader::read_parameter(std::string_view name, std::string_view value) {
  if (name == "db") return read_db(value, options_.db);
  if (name == "prefix") return read_prefix(value, options_.prefix);
  if (name == "user") return read_text(name, value, options_.user);
  if (name == "password_file") return read_text(name, value, password_file_);
  if (name == "timeout") return read_time(name, value, options_.timeout);
  if (name == "connect_timeout") return read_time(name, value, options_.connect_timeout);
  if (name == "on_error") return read_on_error(value, options_.on_store_error);
  if (name == "layout") return read_layouts(value, options_);
  return read_tls_parameter(name, value);
}

Done UrlReader::read_tls_parameter(std::string_view name, std::string_view value) {
  const std::pair<std::string_view, std::string RedisTls::*> files[] = {
      {"ca", &RedisTls::ca},
      {"cert", &RedisTls::cert},
      {"key", &RedisTls::key},
      {"server_name", &RedisTls::server_name}};
  for (const auto& [known, member] : files) {
    if (name != known) continue;
    if (!options_.tls) return refuse(name, "goes with rediss:// alone");
    return read_text(name, value, (*options_.tls).*member);
  }
  return refuse("parameter " + quoted(name),
                "expected db, prefix, user, password_file, timeout, connect_timeout, on_error, "
                "layout, ca, cert, key or server_name");
}

Done UrlReader::complete_secrets() {
  if (options_.user.empty()) options_.user = variable("TIDEGATE_REDIS_USER").value_or("");
  if (!password_file_.empty()) return read_secret(password_file_, options_.password);
  if (!options_.password.empty()) return {};
  if (const auto password = variable("TIDEGATE_REDIS_PASSWORD")) {
    options_.password = *password;
    return {};
  }
  const auto file = variable("TIDEGATE_REDIS_PASSWORD_FILE");
  return file ? read_secret(*file, options_.password) : Done{};
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

Expected<RedisOptions> parse_redis_url(std::string_view url, const RedisOptions& defaults,
                                       const Environment& environment) {
  return UrlReader{defaults, environment}.read(url);
}

}  // namespace tidegate
