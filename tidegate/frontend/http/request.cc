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
  bool checked = false;  // its head
};

RequestReader::RequestReader() = default;

RequestReader::~RequestReader() = default;

RequestReader::Next RequestReader::fail(int status, std::string_view problem) {
  status_ = status;
  problem_ = problem;
  rest_.clear();
  return Next::kError;
}

RequestReader::Next RequestReader::next() {
  if (status_ != 0) return Next::kError;
  if (!parser_) parser_ = std::make_unique<Parser>();
  auto& parser = parser_->parser;
  if (!parser_->began) {  // empty lines before a request are passed over (RFC 9112 2.2)
    rest_.erase(0, std::min(rest_.find_first_not_of("\r\n"), rest_.size()));
    parser_->began = !rest_.empty();
  }
  boost::system::error_code problem;
  while (!rest_.empty() && !parser.is_done() && !problem)
    rest_.erase(0, parser.put(boost::asio::buffer(rest_), problem));
  if (problem && problem != beast::error::need_more)
    return fail(status_of(problem), problem.message());
  if (!parser.is_header_done())
    return rest_.size() > kMostHead ? fail(431, "the head is too long") : Next::kMore;
  if (!parser_->checked) {
    parser_->checked = true;
    if (const auto wrong = problem_with(parser.get()); !wrong.empty()) return fail(400, wrong);
    const bool waits = boost::beast::iequals(parser.get()[beast::field::expect], "100-continue");
    if (waits && !parser.is_done()) return Next::kContinue;
  }
  return parser.is_done() ? finish() : Next::kMore;
}

RequestReader::Next RequestReader::finish() {
  request_ = from(parser_->parser.release());
  parser_.reset();
  return Next::kRequest;
}

}  // namespace tidegate::frontend::http
