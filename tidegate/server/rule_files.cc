#include "tidegate/server/rule_files.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tidegate/rules/files.h"

namespace tidegate::server {
namespace {

// A change is read when nothing has changed for so long: editors and copies write in pieces. Not
// later than after so many of these, though.
constexpr int kSettledMs = 20;
constexpr int kMostSettling = 50;
constexpr int kLookAgainMs = 500;  // for a folder that is not there

bool same(const std::vector<rules::Source>& a, const std::vector<rules::Source>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.name == y.name && x.text == y.text;
  });
}

}  // namespace

RuleFiles::RuleFiles(RuleFilesOptions options, frontend::RuleService& service, Log& log,
                     const Clock& clock)
    : options_{std::move(options)},
      service_{service},
      log_{log},
      clock_{clock},
      wake_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {}

RuleFiles::~RuleFiles() {
  thread_.request_stop();
  eventfd_write(wake_.fd(), 1);
}

// Looks at the folders before it reads, so that what changes meanwhile is told of.
bool RuleFiles::read_sources() {
  sees_all_ = watch_.look_at(options_.paths);
  std::vector<Error> unread;
  std::vector<rules::Source> sources = rules::read_files(options_.paths, unread);
  const bool new_to_us = !same(sources, sources_) || unread != unread_;
  sources_ = std::move(sources);
  unread_ = std::move(unread);
  return new_to_us;
}

std::vector<Error> RuleFiles::load() {
  read_sources();
  return decide();
}

std::vector<Error> RuleFiles::decide() {
  rules::Loaded loaded = rules::load(sources_, options_.load);
  std::vector<Error> mistakes = unread_;
  mistakes.insert(mistakes.end(), loaded.errors.begin(), loaded.errors.end());
  if (mistakes.empty()) {
    use(loaded);
  } else {
    refused_.fetch_add(1, std::memory_order_relaxed);
  }
  return mistakes;
}

void RuleFiles::use(const rules::Loaded& loaded) {
  service_.use(loaded.rules);
  loaded_.fetch_add(1, std::memory_order_relaxed);
  last_loaded_.store(clock_.now(), std::memory_order_relaxed);
  for (const Error& warning : loaded.warnings)
    log_.warn("rules may surprise", {{"place", warning.where}, {"what", warning.what}});
  log_.info("rules in use", {{"files", sources_.size()},
                             {"domains", loaded.rules->domains().size()},
                             {"rules", loaded.rules->size()}});
}

void RuleFiles::watch() {
  thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void RuleFiles::reload(Done done) {
  {
    const std::lock_guard lock{mutex_};
    waiting_.push_back(std::move(done));
  }
  eventfd_write(wake_.fd(), 1);
}

std::vector<RuleFiles::Done> RuleFiles::asked() {
  eventfd_t ignored = 0;
  eventfd_read(wake_.fd(), &ignored);
  const std::lock_guard lock{mutex_};
  return std::exchange(waiting_, {});
}

void RuleFiles::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    wait();
    const std::vector<Done> asked = this->asked();
    if (asked.empty() && !watch_.changed() && sees_all_) continue;
    settle();
    if (!read_sources() && asked.empty()) continue;
    const std::vector<Error> mistakes = decide();
    for (const Error& mistake : mistakes)
      log_.error("rules refused", {{"place", mistake.where}, {"why", mistake.what}});
    for (const Done& done : asked) done(mistakes);
  }
}

void RuleFiles::wait() const {
  pollfd fds[] = {{watch_.fd(), POLLIN, 0}, {wake_.fd(), POLLIN, 0}};
  poll(fds, std::size(fds), sees_all_ ? -1 : kLookAgainMs);
}

void RuleFiles::settle() {
  pollfd fd{watch_.fd(), POLLIN, 0};
  for (int i = 0; i < kMostSettling && poll(&fd, 1, kSettledMs) > 0; ++i) watch_.changed();
}

RuleFilesCounts RuleFiles::counts() const {
  return {.loaded = loaded_.load(std::memory_order_relaxed),
          .refused = refused_.load(std::memory_order_relaxed),
          .last_loaded = last_loaded_.load(std::memory_order_relaxed)};
}

}  // namespace tidegate::server
