#include "tidegate/frontend/http/request.h"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace tidegate::frontend::http {
namespace {

namespace beast = boost::beast::http;

using Message = beast::request<beast::string_body>;

std::string value(const Message& message, beast::field name) {
  return std::string{message[name]};
}

std::string value(const Message& message, std::string_view name) {
  return std::string{message[boost::beast::string_view{name.data(), name.size()}]};
}

int status_of(const boost::system::error_code& problem) {
  if (problem == beast::error::header_limit) return 431;
  if (problem == beast::error::body_limit) return 413;
  if (problem == beast::error::bad_version) return 505;
  return 400;
}

// Whether what has come of a head may become one: who speaks something else is told so at once.
bool lines_of_http(std::string_view head) {
  for (std::size_t at = 0; (at = head.find('\n', at)) != std::string_view::npos; ++at)
    if (at == 0 || head[at - 1] != '\r') return false;
  const std::size_t end = head.find("\r\n");
  return end == std::string_view::npos ||
         head.substr(0, end).find(" HTTP/") != std::string_view::npos;
}

// What the parser lets pass and a server should not (RFC 9112 3.2 and 6.3).
std::string_view problem_with(const Message& message) {
  if (message.version() == 11 && message.count(beast::field::host) != 1)
    return "expected one Host field";
  if (message.count(beast::field::transfer_encoding) == 0) return {};
  if (message.version() == 10) return "HTTP/1.0 knows no Transfer-Encoding";
  if (message.count(beast::field::content_length) > 0)
    return "expected Content-Length or Transfer-Encoding, not both";
  const auto coding = message[beast::field::transfer_encoding];
  if (!boost::beast::iequals(coding, "chunked")) return "expected no Transfer-Encoding but chunked";
  return {};
}

Request from(Message&& message) {
  Request request;
  request.method = std::string{message.method_string()};
  const std::string target{message.target()};
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  if (mark < target.size()) request.query = target.substr(mark + 1);
  request.authorization = value(message, beast::field::authorization);
  request.origin = value(message, beast::field::origin);
  request.fetch_site = value(message, "Sec-Fetch-Site");
  request.keep_alive = message.keep_alive();
  request.of_1_0 = message.version() == 10;
  request.body = std::move(message.body());
  return request;
}

}  // namespace

struct RequestReader::Parser {
  Parser() {
    parser.eager(true);
    parser.header_limit(kMostHead);
    parser.body_limit(kMostBody);
  }
  beast::request_parser<beast::string_body> parser;
  bool began = false;
};

RequestReader::RequestReader() = default;

RequestReader::~RequestReader() = default;

RequestReader::Next RequestReader::fail(int status, std::string_view problem) {
  status_ = status;
  problem_ = problem;
  rest_.clear();
  return Next::kError;
}

// Gives the parser so many bytes, or those that it wants of them. False when they are wrong.
bool RequestReader::parse(std::size_t bytes) {
  boost::system::error_code problem;
  auto& parser = parser_->parser;
  while (bytes > 0 && !parser.is_done() && !problem) {
    const std::size_t parsed = parser.put(boost::asio::buffer(rest_.data(), bytes), problem);
    rest_.erase(0, parsed);
    bytes -= parsed;
  }
  if (!problem || problem == beast::error::need_more) return true;
  fail(status_of(problem), problem.message());
  return false;
}

RequestReader::Next RequestReader::next() {
  if (status_ != 0) return Next::kError;
  if (!parser_) parser_ = std::make_unique<Parser>();
  auto& parser = parser_->parser;
  if (!parser.is_header_done())
    if (const Next next = read_head(); next != Next::kRequest) return next;
  if (!parse(rest_.size())) return Next::kError;
  return parser.is_done() ? finish() : Next::kMore;
}

// The parser is given the head whole, so that what it says of one does not depend on how it came.
RequestReader::Next RequestReader::read_head() {
  if (!parser_->began) {  // empty lines before a request are passed over (RFC 9112 2.2)
    rest_.erase(0, std::min(rest_.find_first_not_of("\r\n"), rest_.size()));
    parser_->began = !rest_.empty();
  }
  const std::size_t end = rest_.find("\r\n\r\n");
  const bool whole = end != std::string::npos;
  const std::string_view head = std::string_view{rest_}.substr(0, whole ? end + 2 : end);
  if (!lines_of_http(head.substr(0, kMostHead)))
    return fail(400, "expected HTTP/1.1, its lines ended by CR LF");
  if (head.size() > kMostHead) return fail(431, "the head is too long");
  if (!whole) return Next::kMore;
  if (!parse(end + 4)) return Next::kError;
  const Message& message = parser_->parser.get();
  if (const auto wrong = problem_with(message); !wrong.empty()) return fail(400, wrong);
  const bool waits = boost::beast::iequals(message[beast::field::expect], "100-continue");
  return waits && rest_.empty() && !parser_->parser.is_done() ? Next::kContinue : Next::kRequest;
}

RequestReader::Next RequestReader::finish() {
  request_ = from(parser_->parser.release());
  parser_.reset();
  return Next::kRequest;
}

}  // namespace tidegate::frontend::http
