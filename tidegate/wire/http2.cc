#include "tidegate/wire/http2.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <new>
#include <string>
#include <vector>

#include "tidegate/wire/http2_stream.h"

namespace tidegate::http2 {
namespace {

constexpr std::array<std::uint8_t, 8> kDrainPing = {'d', 'r', 'a', 'i', 'n', 'i', 'n', 'g'};

// nghttp2 copies them; its type has no const.
std::vector<nghttp2_nv> as_nv(Headers headers) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(headers.size());
  const auto bytes = [](std::string_view text) {
    return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(text.data()));
  };
  for (const auto& [name, value] : headers)
    fields.push_back({bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
  return fields;
}

std::string_view view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

class Session::Implementation {
 public:
  Implementation(const Options& options, Handler& handler) : options_{options}, handler_{handler} {
    open_session();
    greet();
  }
  ~Implementation() {
    nghttp2_session_del(session_);
    for (const std::unique_ptr<Stream>& stream : streams_)
      if (stream->told) handler_.on_close(stream->id);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void feed(std::string_view bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (dead_ || nghttp2_session_mem_recv(session_, data, bytes.size()) >= 0) return;
    dead_ = true;
  }

  // Moves what nghttp2 has to say to the output, as far as there is room.
  void pump() {
    const std::uint8_t* bytes = nullptr;
    while (!dead_ && pending() < options_.max_output) {
      const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
      if (size < 0) dead_ = true;
      if (size <= 0) return;
      output_.append(view(bytes, static_cast<std::size_t>(size)));
    }
  }

  std::string_view output() const { return std::string_view{output_}.substr(sent_); }
  std::size_t pending() const { return output_.size() - sent_; }

  void sent(std::size_t bytes) {
    sent_ += bytes;
    assert(sent_ <= output_.size());
    if (sent_ < output_.size()) return;
    output_.clear();
    sent_ = 0;
  }

  bool want_read() const { return !finished() && pending() < options_.max_output; }

  bool finished() const {
    return dead_ || (!nghttp2_session_want_read(session_) && !nghttp2_session_want_write(session_));
  }

  void drain() {
    if (draining_) return;
    draining_ = true;
    nghttp2_submit_shutdown_notice(session_);
    nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, kDrainPing.data());
  }

  Stream* open_stream(StreamId id) {
    return static_cast<Stream*>(nghttp2_session_get_stream_user_data(session_, id));
  }

  void start(Stream& stream, Headers headers) {
    if (std::exchange(stream.started, true)) return;
    const std::vector<nghttp2_nv> nv = as_nv(headers);
    nghttp2_data_provider body{{.ptr = this}, read_body};
    nghttp2_submit_response(session_, stream.id, nv.data(), nv.size(), &body);
  }

  void respond(Stream& stream, Headers headers) {
    if (std::exchange(stream.started, true)) return;
    const std::vector<nghttp2_nv> nv = as_nv(headers);
    nghttp2_submit_response(session_, stream.id, nv.data(), nv.size(), nullptr);
  }

  void send(Stream& stream, std::string_view bytes) {
    if (stream.finishing) return;
    stream.body.append(bytes);
    nghttp2_session_resume_data(session_, stream.id);
  }

  void finish(Stream& stream, Headers trailers) {
    if (std::exchange(stream.finishing, true)) return;
    for (const auto& [name, value] : trailers) stream.trailers.append(name, value);
    nghttp2_session_resume_data(session_, stream.id);
  }

  void reset(StreamId id, ResetCode code) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, static_cast<std::uint32_t>(code));
  }

 private:
  static Implementation& self(void* user_data) { return *static_cast<Implementation*>(user_data); }

  void open_session() {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_option* option = nullptr;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) throw std::bad_alloc{};
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    int failed = nghttp2_option_new(&option);
    if (failed == 0) {
      nghttp2_option_set_no_closed_streams(option, 1);
      nghttp2_option_set_stream_reset_rate_limit(option, options_.reset_burst, options_.reset_rate);
      failed = nghttp2_session_server_new2(&session_, callbacks, this, option);
    }
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    if (failed != 0) throw std::bad_alloc{};
  }

  // Our settings, and as much of a window for the whole connection as it may have.
  void greet() {
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, options_.max_streams},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, options_.max_header_list},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, options_.stream_window},
    };
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
    nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0,
                                          static_cast<std::int32_t>(options_.connection_window));
  }

  void open(StreamId id) {
    if (free_.empty()) free_.push_back(streams_.emplace_back(std::make_unique<Stream>()).get());
    Stream* stream = free_.back();
    free_.pop_back();
    stream->id = id;
    nghttp2_session_set_stream_user_data(session_, id, stream);
  }

  void tell_headers(Stream& stream) {
    stream.told = true;
    handler_.on_headers(stream.id, stream.headers.fields());
  }

  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user_data) {
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
      self(user_data).open(frame->hd.stream_id);
    return 0;
  }

  // Fields of trailers are not kept. A list that is too long gets its stream refused.
  static int on_header(nghttp2_session* session, const nghttp2_frame* frame,
                       const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                       std::size_t value_size, std::uint8_t, void* user_data) {
    constexpr std::size_t kOverhead = 32;  // a field, as HTTP/2 counts
    Implementation& it = self(user_data);
    Stream* stream = it.open_stream(frame->hd.stream_id);
    if (stream == nullptr || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    stream->headers.append(view(name, name_size), view(value, value_size));
    if (stream->headers.bytes() + kOverhead * stream->headers.size() >
        it.options_.max_header_list) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                NGHTTP2_ENHANCE_YOUR_CALM);
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    return 0;
  }

  static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user_data) {
    Implementation& it = self(user_data);
    const bool ack = (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0;
    if (frame->hd.type == NGHTTP2_PING && ack && it.draining_)
      nghttp2_submit_goaway(session, NGHTTP2_FLAG_NONE,
                            nghttp2_session_get_last_proc_stream_id(session), NGHTTP2_NO_ERROR,
                            nullptr, 0);
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    Stream* stream = it.open_stream(frame->hd.stream_id);
    if (stream == nullptr) return 0;
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
      it.tell_headers(*stream);
    if (stream->told && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0)
      it.handler_.on_end(stream->id);
    return 0;
  }

  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                     std::size_t size, void* user_data) {
    Implementation& it = self(user_data);
    const Stream* stream = it.open_stream(id);
    if (stream != nullptr && stream->told) it.handler_.on_data(id, view(data, size));
    return 0;
  }

  // To reset a stream while its reply is on its way would take that back.
  static int on_sent(nghttp2_session* session, const nghttp2_frame* frame, void* user_data) {
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    const StreamId id = frame->hd.stream_id;
    const Stream* stream = self(user_data).open_stream(id);
    const bool last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (stream != nullptr && stream->sated && last &&
        nghttp2_session_get_stream_remote_close(session, id) == 0)
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_NO_ERROR);
    return 0;
  }

  static int on_close(nghttp2_session* session, std::int32_t id, std::uint32_t, void* user_data) {
    Implementation& it = self(user_data);
    Stream* stream = it.open_stream(id);
    if (stream == nullptr) return 0;
    nghttp2_session_set_stream_user_data(session, id, nullptr);
    if (stream->told) it.handler_.on_close(id);
    stream->clear();
    it.free_.push_back(stream);
    return 0;
  }

  static ssize_t read_body(nghttp2_session* session, std::int32_t id, std::uint8_t* into,
                           std::size_t room, std::uint32_t* flags, nghttp2_data_source*,
                           void* user_data) {
    Stream* stream = self(user_data).open_stream(id);
    if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::size_t size = std::min(room, stream->body.size() - stream->taken);
    stream->body.copy(reinterpret_cast<char*>(into), size, stream->taken);
    stream->taken += size;
    if (stream->taken < stream->body.size()) return static_cast<ssize_t>(size);
    stream->body.clear();
    stream->taken = 0;
    if (!stream->finishing && size == 0) return NGHTTP2_ERR_DEFERRED;
    if (!stream->finishing) return static_cast<ssize_t>(size);
    *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    const std::vector<nghttp2_nv> nv = as_nv(stream->trailers.fields());
    nghttp2_submit_trailer(session, id, nv.data(), nv.size());
    return static_cast<ssize_t>(size);
  }

  const Options options_;
  Handler& handler_;
  nghttp2_session* session_ = nullptr;
  std::vector<std::unique_ptr<Stream>> streams_;  // all that were ever open at once
  std::vector<Stream*> free_;
  std::string output_;
  std::size_t sent_ = 0;
  bool draining_ = false;
  bool dead_ = false;  // by an error after which nghttp2 can say no more
};

Session::Session(const Options& options, Handler& handler)
    : implementation_{std::make_unique<Implementation>(options, handler)} {
  implementation_->pump();
}

Session::~Session() = default;

void Session::start(StreamId id, Headers headers) {
  if (Stream* stream = implementation_->open_stream(id)) implementation_->start(*stream, headers);
}

void Session::send(StreamId id, std::string_view bytes) {
  if (Stream* stream = implementation_->open_stream(id)) implementation_->send(*stream, bytes);
}

void Session::finish(StreamId id, Headers trailers) {
  if (Stream* stream = implementation_->open_stream(id)) implementation_->finish(*stream, trailers);
}

void Session::respond(StreamId id, Headers headers) {
  if (Stream* stream = implementation_->open_stream(id)) implementation_->respond(*stream, headers);
}

void Session::reset(StreamId id, ResetCode code) {
  implementation_->reset(id, code);
}

void Session::want_no_more(StreamId id) {
  if (Stream* stream = implementation_->open_stream(id)) stream->sated = true;
}

void Session::flush() {
  implementation_->pump();
  change();
}

void Session::feed(std::string_view bytes) {
  implementation_->feed(bytes);
  implementation_->pump();
}

std::string_view Session::output() const {
  return implementation_->output();
}

void Session::sent(std::size_t bytes) {
  implementation_->sent(bytes);
  implementation_->pump();
}

bool Session::want_read() const {
  return implementation_->want_read();
}

void Session::drain() {
  implementation_->drain();
  implementation_->pump();
}

bool Session::finished() const {
  return implementation_->finished();
}

}  // namespace tidegate::http2
