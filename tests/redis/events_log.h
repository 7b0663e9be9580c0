// What a store told, kept for a test to look at, and to wait for.
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "tidegate/store/redis/events.h"

namespace tidegate::test {

class EventsLog final : public RedisEvents {
 public:
  void connected(const RedisServerFacts& server) override {
    add("connected " + server.name + " " + server.version + " " + server.mode);
  }
  void connect_failed(const Error& why) override { add("connect_failed " + why.message()); }
  void disconnected(const Error& why) override { add("disconnected " + why.message()); }
  void degraded(StoreTrouble, const Error& why) override { add("degraded " + why.message()); }
  void warned(const Error& problem) override { add("warned " + problem.message()); }

  // Whether a line with all of this in it has been told, or is within ten seconds.
  ::testing::AssertionResult wait_for(const std::string& part) {
    std::unique_lock lock{mutex_};
    if (told_.wait_for(lock, std::chrono::seconds{10}, [&] { return count_in(part) > 0; }))
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "no \"" << part << "\" in:\n" << joined();
  }

  std::size_t count(const std::string& part) {
    const std::lock_guard lock{mutex_};
    return count_in(part);
  }
  std::string text() {
    const std::lock_guard lock{mutex_};
    return joined();
  }

 private:
  void add(std::string line) {
    const std::lock_guard lock{mutex_};
    lines_.push_back(std::move(line));
    told_.notify_all();
  }
  std::size_t count_in(const std::string& part) const {
    std::size_t count = 0;
    for (const std::string& line : lines_) count += line.find(part) != std::string::npos;
    return count;
  }
  std::string joined() const {
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

  std::mutex mutex_;
  std::condition_variable told_;
  std::vector<std::string> lines_;
};

}  // namespace tidegate::test
