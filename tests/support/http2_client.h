// The client's side of an HTTP/2 connection for tests, over nghttp2, without a socket: requests in,
// bytes out; bytes in, replies out.
#pragma once

#include <nghttp2/nghttp2.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidegate::test {

class Http2Client {
 public:
  struct Reply {
    std::vector<std::pair<std::string, std::string>> headers;  // trailers too
    std::string body;
    bool closed = false;
    std::uint32_t code = 0;  // of its RST_STREAM

    std::string header(std::string_view name) const {
      for (const auto& [key, value] : headers)
        if (key == name) return value;
      return "";
    }
  };

  Http2Client() {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_client_new(&session_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, nullptr, 0);
  }
  ~Http2Client() { nghttp2_session_del(session_); }
  Http2Client(const Http2Client&) = delete;
  Http2Client& operator=(const Http2Client&) = delete;

  using Fields = std::vector<std::pair<std::string, std::string>>;

  std::int32_t request(const std::string& path, std::string body, const Fields& more = {}) {
    Fields fields = {
        {":method", "POST"}, {":scheme", "http"}, {":path", path}, {":authority", "test"}};
    fields.insert(fields.end(), more.begin(), more.end());
    std::vector<nghttp2_nv> nv;
    for (auto& [name, value] : fields)
      nv.push_back({reinterpret_cast<std::uint8_t*>(name.data()),
                    reinterpret_cast<std::uint8_t*>(value.data()), name.size(), value.size(),
                    NGHTTP2_NV_FLAG_NONE});
    nghttp2_data_provider provider{{.ptr = nullptr}, read_body};
    const std::int32_t id =
        nghttp2_submit_request(session_, nullptr, nv.data(), nv.size(), &provider, nullptr);
    bodies_[id] = std::move(body);
    return id;
  }
  void cancel(std::int32_t id) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  }
  void ping() { nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr); }

  std::string output() {
    std::string bytes;
    const std::uint8_t* data = nullptr;
    for (ssize_t size; (size = nghttp2_session_mem_send(session_, &data)) > 0;)
      bytes.append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    return bytes;
  }
  void feed(std::string_view bytes) {
    const ssize_t read = nghttp2_session_mem_recv(
        session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (read < 0) throw std::runtime_error{nghttp2_strerror(static_cast<int>(read))};
  }

  const Reply& reply(std::int32_t id) { return replies_[id]; }
  int goaways() const { return goaways_; }
  std::int32_t last_stream() const { return last_stream_; }
  int pongs() const { return pongs_; }

 private:
  static Http2Client& self(void* it) { return *static_cast<Http2Client*>(it); }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* it) {
    self(it).replies_[frame->hd.stream_id].headers.emplace_back(
        std::string{reinterpret_cast<const char*>(name), name_size},
        std::string{reinterpret_cast<const char*>(value), value_size});
    return 0;
  }
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                     std::size_t size, void* it) {
    self(it).replies_[id].body.append(reinterpret_cast<const char*>(data), size);
    return 0;
  }
  static int on_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* it) {
    self(it).replies_[id].closed = true;
    self(it).replies_[id].code = code;
    return 0;
  }
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* it) {
    if (frame->hd.type == NGHTTP2_GOAWAY) {
      ++self(it).goaways_;
      self(it).last_stream_ = frame->goaway.last_stream_id;
    }
    if (frame->hd.type == NGHTTP2_PING && (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0)
      ++self(it).pongs_;
    return 0;
  }
  static ssize_t read_body(nghttp2_session*, std::int32_t id, std::uint8_t* into, std::size_t room,
                           std::uint32_t* flags, nghttp2_data_source*, void* it) {
    std::string& body = self(it).bodies_[id];
    const std::size_t size = std::min(room, body.size());
    body.copy(reinterpret_cast<char*>(into), size);
    body.erase(0, size);
    if (body.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(size);
  }

  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, std::string> bodies_;
  std::map<std::int32_t, Reply> replies_;
  int goaways_ = 0;
  int pongs_ = 0;
  std::int32_t last_stream_ = -1;
};

}  // namespace tidegate::test
