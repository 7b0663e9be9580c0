#include "tidegate/net/connection.h"

#include <sys/ioctl.h>

#include <algorithm>

namespace tidegate::net {
namespace {

// Reads before others get their turn.
constexpr int kReads = 8;

std::size_t bytes_received(int fd) {
  int bytes = 0;
  return ioctl(fd, FIONREAD, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

Connection::Connection(std::unique_ptr<Transport> transport, Peer peer, Connect connect,
                       Surroundings& around)
    : around_{around},
      transport_{std::move(transport)},
      peer_{std::move(peer)},
      connect_{std::move(connect)},
      last_heard_{around.ticks} {}

Connection::~Connection() {
  if (phase_ != Phase::kClosed) around_.poller.forget(transport_->socket().fd(), *this);
}

void Connection::start() {
  watched_ = kReadable;
  around_.poller.watch(transport_->socket().fd(), watched_, *this);
  handshake();
}

void Connection::on_ready(std::uint32_t readiness) {
  if (phase_ == Phase::kHandshake) return handshake();
  if (phase_ == Phase::kEnding) return discard();
  if (phase_ != Phase::kOpen) return;
  // Told of what was not asked for: the connection is broken.
  if ((readiness & watched_) == 0) return close(Cause::kBroken);
  if ((readiness & kReadable) != 0 && may_read()) return read();
  flush();
}

void Connection::handshake() {
  const Io io = transport_->handshake();
  switch (io.status) {
    case Io::Status::kDone:
      return open();
    case Io::Status::kWaitRead:
      return watch(kReadable);
    case Io::Status::kWaitWrite:
      return watch(kWritable);
    case Io::Status::kEnd:
    case Io::Status::kBroken:
      return close(Cause::kTls);
  }
}

void Connection::open() {
  phase_ = Phase::kOpen;
  last_heard_ = around_.ticks;
  peer_.subject = transport_->subject();
  peer_.protocol = transport_->protocol();
  conversation_ = connect_(peer_);
  conversation_->on_change([this] {
    if (phase_ == Phase::kOpen && !reading_) flush();
  });
  if (transport_->holds_bytes()) return read();
  flush();  // some protocols speak first
}

bool Connection::may_read() const {
  return !peer_ended_ && conversation_->want_read() &&
         conversation_->output().size() < around_.max_output;
}

// What had arrived when the drain began is read and no more, until the conversation knows of it.
bool Connection::counts_what_is_left() const {
  return draining_ && !told_to_drain_;
}

std::size_t Connection::read_size() const {
  const std::size_t size = around_.buffer.size();
  return counts_what_is_left() ? std::min(size, drain_left_) : size;
}

// One read, fed to the conversation.
Io::Status Connection::read_once() {
  const Io io = transport_->read(around_.buffer.data(), read_size());
  if (io.status != Io::Status::kDone) return io.status;
  around_.bytes_in += io.bytes;
  const bool counts = counts_what_is_left();
  if (counts) drain_left_ -= io.bytes;
  conversation_->feed({around_.buffer.data(), io.bytes});
  // Less than there was room for: nothing more has come, and to ask would be in vain.
  const bool all = io.bytes < around_.buffer.size() && !transport_->holds_bytes();
  return all && !counts ? Io::Status::kWaitRead : Io::Status::kDone;
}

void Connection::read() {
  reading_ = true;
  last_heard_ = around_.ticks;
  Io::Status status = Io::Status::kDone;
  for (int i = 0; status == Io::Status::kDone && may_read(); ++i) {
    const bool counts = counts_what_is_left();
    if (counts && drain_left_ == 0) break;
    if (!counts && i >= kReads && !transport_->holds_bytes()) break;
    status = read_once();
  }
  reading_ = false;
  if (status == Io::Status::kBroken) return close(Cause::kBroken);
  peer_ended_ |= status == Io::Status::kEnd;
  const bool drained = counts_what_is_left() && (drain_left_ == 0 || status != Io::Status::kDone);
  if (peer_ended_ || drained) tell_to_drain();
  flush();
}

// From here on a conversation that wants to read needs more of the peer to come to its end.
void Connection::tell_to_drain() {
  if (std::exchange(told_to_drain_, true)) return;
  drain_left_ = 0;
  reading_ = true;
  conversation_->drain();
  reading_ = false;
}

void Connection::flush() {
  while (!conversation_->output().empty())
    if (!send()) break;
  if (phase_ != Phase::kOpen) return;
  const bool waits_in_vain = peer_ended_ && told_to_drain_ && conversation_->want_read();
  if (conversation_->output().empty() && (conversation_->finished() || waits_in_vain)) return end();
  // What a transport holds does not make its socket readable; nor does what a drain counted but TLS
  // has taken off already.
  const bool more = transport_->holds_bytes() || drain_left_ > 0;
  if (more && !reading_ && may_read()) return read();
  watch_for_what_is_needed();
}

// Sends once; false when the peer must take some first, or has gone.
bool Connection::send() {
  if (phase_ != Phase::kOpen) return false;
  const Io io = transport_->write(conversation_->output());
  send_waits_for_ = kNothing;
  if (io.status == Io::Status::kDone) {
    around_.bytes_out += io.bytes;
    stuck_since_ = 0;
    conversation_->sent(io.bytes);
    return true;
  }
  if (io.status == Io::Status::kBroken || io.status == Io::Status::kEnd) {
    close(Cause::kBroken);
    return false;
  }
  send_waits_for_ = io.status == Io::Status::kWaitRead ? kReadable : kWritable;
  if (stuck_since_ == 0) stuck_since_ = std::max<std::uint64_t>(around_.ticks, 1);
  return false;
}

void Connection::watch_for_what_is_needed() {
  watch((may_read() ? kReadable : kNothing) | send_waits_for_);
}

void Connection::watch(std::uint32_t readiness) {
  if (readiness == watched_) return;
  watched_ = readiness;
  around_.poller.change(transport_->socket().fd(), readiness, *this);
}

void Connection::drain() {
  if (phase_ == Phase::kHandshake) return close(Cause::kFinished);
  if (phase_ != Phase::kOpen || draining_) return;
  draining_ = true;
  // In TLS more bytes than their content: the read that would wait comes first.
  drain_left_ = bytes_received(transport_->socket().fd());
  if (transport_->holds_bytes()) drain_left_ += around_.buffer.size();
  if (may_read()) return read();
  if (drain_left_ == 0) tell_to_drain();
  flush();
}

// A peer that still sends is heard out: to close with bytes unread would be a reset, which may
// overtake the last answers.
void Connection::end() {
  transport_->end();
  if (peer_ended_) return close(Cause::kFinished);
  phase_ = Phase::kEnding;
  last_heard_ = around_.ticks;
  watch(kReadable);
}

void Connection::discard() {
  for (int i = 0; i < kReads; ++i) {
    const Io io = transport_->Transport::read(around_.buffer.data(), around_.buffer.size());
    if (io.status == Io::Status::kWaitRead) return;
    if (io.status != Io::Status::kDone) return close(Cause::kFinished);
  }
}

void Connection::close(Cause cause) {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  around_.poller.forget(transport_->socket().fd(), *this);
  around_.closed(*this, cause);
}

}  // namespace tidegate::net
