#include "tidegate/replay/logs/shape.h"

#include <algorithm>

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// An IPv6 address without brackets has more colons than one, and no port.
std::string_view without_port(std::string_view address) {
  if (!address.empty() && address.front() == '[') {
    const std::size_t close = address.find(']');
    return close == kNone ? address : address.substr(1, close - 1);
  }
  const std::size_t colon = address.find(':');
  if (colon == kNone || colon == 0 || colon + 1 == address.size()) return address;
  return all_digits(address.substr(colon + 1)) ? address.substr(0, colon) : address;
}

std::string_view last_address(std::string_view list) {
  const std::size_t comma = list.rfind(',');
  return without_port(trimmed(comma == kNone ? list : list.substr(comma + 1)));
}

std::string_view first_address(std::string_view list) {
  return without_port(trimmed(list.substr(0, list.find(','))));
}

// What follows scheme://, from the host on; a target that begins with its path has none.
std::string_view after_scheme(std::string_view target) {
  if (target.empty() || target.front() == '/') return {};
  const std::size_t colon = target.find("://");
  return colon == kNone ? std::string_view{} : target.substr(colon + 3);
}

std::string_view uri_of(std::string_view target) {
  const std::string_view rest = after_scheme(target);
  if (rest.data() == nullptr) return target;
  const std::size_t path = rest.find_first_of("/?");
  return path == kNone ? std::string_view{"/"} : rest.substr(path);
}

std::string_view path_of(std::string_view target) {
  const std::string_view uri = uri_of(target);
  return uri.substr(0, uri.find('?'));
}

std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == kNone ? std::string_view{} : target.substr(mark + 1);
}

std::string_view host_of(std::string_view name) {
  const std::string_view rest = after_scheme(name);
  if (rest.data() != nullptr) name = rest.substr(0, rest.find_first_of("/?"));
  return without_port(name);
}

struct RequestLine {
  std::string_view method;
  std::string_view target;
  std::string_view protocol;
};

// A target may hold blanks, so the protocol is what follows the last. Bytes that are no request
// line, as of a TLS hello on a plain port, have no parts at all.
RequestLine split_request(std::string_view line) {
  const std::size_t first = line.find(' ');
  if (first == kNone || first == 0) return {};
  const std::string_view rest = line.substr(first + 1);
  const std::size_t last = rest.rfind(' ');
  const bool with_protocol = last != kNone && rest.substr(last + 1).find('/') == 4;
  return {line.substr(0, first), with_protocol ? rest.substr(0, last) : rest,
          with_protocol ? rest.substr(last + 1) : std::string_view{}};
}

// A target, also if it stands in a request line.
std::string_view target_of(std::string_view value) {
  const bool alone = value.starts_with('/') || value.find(' ') == kNone;
  return alone ? value : split_request(value).target;
}

// Of a URL; a target that begins with its path names none.
std::string_view host_in(std::string_view target) {
  return after_scheme(target).data() == nullptr ? std::string_view{} : host_of(target);
}

}  // namespace

std::string_view shaped(Shape shape, std::string_view value) {
  if (shape == Shape::kAddress) return last_address(value);
  if (shape == Shape::kFirst) return first_address(value);
  if (value == "-") return {};
  switch (shape) {
    case Shape::kHost:
      return host_of(value);
    case Shape::kWord:
      return value.substr(0, value.find(' '));
    case Shape::kPath:
      return path_of(target_of(value));
    case Shape::kUri:
      return uri_of(target_of(value));
    case Shape::kQuery:
      return query_of(target_of(value));
    case Shape::kMethod:
      return split_request(value).method;
    case Shape::kProtocol:
      return split_request(value).protocol;
    case Shape::kRequestPath:
      return path_of(split_request(value).target);
    case Shape::kRequestUri:
      return uri_of(split_request(value).target);
    case Shape::kRequestQuery:
      return query_of(split_request(value).target);
    case Shape::kRequestHost:
      return host_in(split_request(value).target);
    default:
      return value;
  }
}

}  // namespace tidegate::replay
