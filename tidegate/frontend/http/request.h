// HTTP/1.1 requests from bytes, as they arrive (RFC 9112).
//
//   reader.feed(bytes);
//   while (reader.next() == RequestReader::Next::kRequest) answer(reader.request());
//
// What could be read as two different requests is refused: two lengths, a length beside a transfer
// coding, codings other than chunked. Thread safety: none. Cost: O(bytes); a request under way is
// bounded by 16 KiB of head and 256 KiB of body.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tidegate::frontend::http {

struct Request {
  std::string method = {};
  std::string path = {};   // of the target, up to its query
  std::string query = {};  // after the `?`
  std::string body = {};
  std::string authorization = {};  // fields that matter here; empty when they are not there
  std::string origin = {};
  std::string fetch_site = {};
  bool keep_alive = true;
  bool of_1_0 = false;

  bool operator==(const Request&) const = default;
};

class RequestReader {
 public:
  static constexpr std::size_t kMostHead = std::size_t{16} * 1024;
  static constexpr std::size_t kMostBody = std::size_t{256} * 1024;

  RequestReader();
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  enum class Next {
    kMore,
    kContinue,  // the peer waits for word that its body is welcome; then again
    kRequest,
    kError,  // for good
  };

  void feed(std::string_view bytes) { rest_ += bytes; }
  Next next();

  const Request& request() const { return request_; }
  // With kError: what to answer, and why.
  int status() const { return status_; }
  const std::string& problem() const { return problem_; }

 private:
  struct Parser;

  Next read_head();
  bool parse(std::size_t bytes);
  Next finish();
  Next fail(int status, std::string_view problem);

  std::unique_ptr<Parser> parser_;  // of the request under way
  std::string rest_;                // fed and not parsed
  Request request_;
  int status_ = 0;
  std::string problem_;
};

}  // namespace tidegate::frontend::http
