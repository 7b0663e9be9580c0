// The rule files of a server: loaded at its start, and again whenever they change or somebody asks.
//
//   RuleFiles files{{paths, options}, service, log, clock};
//   if (auto mistakes = files.load(); !mistakes.empty()) ...   // first, before it watches
//   files.watch();
//
// A set with a mistake is refused whole, told of in the log and counted; what was in use stays in
// use. Thread safety: `reload` and `counts` may be called from any thread. Cost: a thread that
// waits; loading keeps the files' texts, so that a change that changes nothing is seen as that.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/base/thread_annotations.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/net/socket.h"
#include "tidegate/rules/load.h"
#include "tidegate/server/file_watch.h"
#include "tidegate/server/log.h"

namespace tidegate::server {

struct RuleFilesOptions {
  std::vector<std::string> paths;  // of files and folders
  rules::LoadOptions load = {};
};

struct RuleFilesCounts {
  std::uint64_t loaded = 0;
  std::uint64_t refused = 0;  // for their mistakes
  Time last_loaded{};
};

class RuleFiles {
 public:
  // All but the options must outlive it.
  RuleFiles(RuleFilesOptions options, frontend::RuleService& service, Log& log, const Clock& clock);
  ~RuleFiles();
  RuleFiles(const RuleFiles&) = delete;
  RuleFiles& operator=(const RuleFiles&) = delete;

  // Loads them, and uses them if there is no mistake. Not once it watches.
  std::vector<Error> load();

  // From now on a thread does so.
  void watch();

  // Asks that thread to. `done` is called on it, with the mistakes.
  using Done = std::function<void(std::vector<Error> mistakes)>;
  void reload(Done done);

  RuleFilesCounts counts() const;

 private:
  void run(const std::stop_token& stop);
  void wait() const;
  void settle();
  std::vector<Done> asked();
  bool read_sources();
  std::vector<Error> decide();
  void use(const rules::Loaded& loaded);

  const RuleFilesOptions options_;
  frontend::RuleService& service_;
  Log& log_;
  const Clock& clock_;

  FileWatch watch_;
  bool sees_all_ = true;  // of the folders
  std::vector<rules::Source> sources_;
  std::vector<Error> unread_;

  const net::Socket wake_;  // an eventfd
  std::mutex mutex_;
  std::vector<Done> waiting_;  // under the mutex
  std::atomic<std::uint64_t> loaded_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<Time> last_loaded_{Time{}};
  std::jthread thread_;  // last: it stops, and is joined, before the rest goes
};

}  // namespace tidegate::server
