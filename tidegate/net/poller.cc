#include "tidegate/net/poller.h"

#include <sys/epoll.h>

#include <algorithm>

namespace tidegate::net {
namespace {

epoll_event event_of(std::uint32_t readiness, Watcher& watcher) {
  epoll_event event{};
  if ((readiness & kReadable) != 0) event.events |= EPOLLIN;
  if ((readiness & kWritable) != 0) event.events |= EPOLLOUT;
  event.data.ptr = &watcher;
  return event;
}

std::uint32_t readiness_of(std::uint32_t events) {
  constexpr std::uint32_t kBroken = EPOLLERR | EPOLLHUP;
  std::uint32_t readiness = kNothing;
  if ((events & (EPOLLIN | kBroken)) != 0) readiness |= kReadable;
  if ((events & (EPOLLOUT | kBroken)) != 0) readiness |= kWritable;
  return readiness;
}

}  // namespace

Poller::Poller() : epoll_{epoll_create1(EPOLL_CLOEXEC)} {}

void Poller::watch(int fd, std::uint32_t readiness, Watcher& watcher) {
  epoll_event event = event_of(readiness, watcher);
  epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event);
}

void Poller::change(int fd, std::uint32_t readiness, Watcher& watcher) {
  epoll_event event = event_of(readiness, watcher);
  epoll_ctl(epoll_.fd(), EPOLL_CTL_MOD, fd, &event);
}

void Poller::forget(int fd, Watcher& watcher) {
  epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, fd, nullptr);
  std::replace(ready_, ready_ + count_, &watcher, static_cast<Watcher*>(nullptr));
}

int Poller::run_ready() {
  epoll_event events[kAtOnce];
  count_ = std::max(epoll_wait(epoll_.fd(), events, kAtOnce, 0), 0);
  for (int i = 0; i < count_; ++i) ready_[i] = static_cast<Watcher*>(events[i].data.ptr);
  for (int i = 0; i < count_; ++i)
    if (ready_[i] != nullptr) ready_[i]->on_ready(readiness_of(events[i].events));
  return std::exchange(count_, 0);
}

}  // namespace tidegate::net
