// A replay of a large log against mawk, which counts its lines by their first word: processor time
// of whole processes. Then the memory that a million clients take.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "bench/harness.h"

namespace tidegate::bench {
namespace {

constexpr std::uint64_t kLines = 5'000'000;
constexpr std::uint64_t kClients = 1'000'000;
constexpr int kRounds = 5;

// Writes the combined form: heavy-tailed clients, bursts, a scanner, a flood, agents of all kinds.
class LogWriter {
 public:
  explicit LogWriter(const std::string& path) : file_{std::fopen(path.c_str(), "w")} {
    if (file_ == nullptr) std::abort();
  }
  ~LogWriter() { std::fclose(file_); }
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  void traffic(std::uint64_t lines) {
    for (std::uint64_t i = 0; i < lines; ++i) {
      const bool scanner = random_.below(50) == 0;
      const bool flood = i > lines / 2 && i < lines / 2 + lines / 50;
      line(scanner ? 1 : flood ? 2 : heavy_tailed(), i / 60);
    }
  }
  void each_client_once(std::uint64_t clients) {
    for (std::uint64_t i = 0; i < clients; ++i) line(i, i / 60);
  }

 private:
  std::uint64_t heavy_tailed() {
    const double share = (static_cast<double>(random_.below(1'000'000)) + 1) / 1'000'000;
    return static_cast<std::uint64_t>(40 * std::pow(share, -0.9)) % 200'000;
  }

  void line(std::uint64_t client, std::uint64_t second) {
    static constexpr const char* kAgents[] = {
        "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0", "curl/8.4.0",
        "Mozilla/5.0 (compatible; ExampleBot/2.1; +http://bot.example/)"};
    std::fprintf(file_, "%d.%d.%d.%d - - [14/Nov/2023:%02d:%02d:%02d +0000] ",
                 10 + part(client >> 18, 256), part(client >> 12, 64), part(client >> 6, 64),
                 part(client, 64), part(second / 3600, 24), part(second / 60, 60),
                 part(second, 60));
    std::fprintf(file_, "\"GET /item/%d?x=%d HTTP/1.1\" 200 %d \"https://shop.example/\" \"%s\"\n",
                 any(100'000), any(1'000'000), any(50'000), kAgents[client % std::size(kAgents)]);
  }
  static int part(std::uint64_t number, std::uint64_t of) { return static_cast<int>(number % of); }
  int any(std::uint64_t bound) { return static_cast<int>(random_.below(bound)); }

  std::FILE* file_;
  Random random_{1};
};

struct Usage {
  double cpu;        // seconds, user and system
  double megabytes;  // most that was resident
};

Usage run(std::vector<std::string> words) {
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  int status = 0;
  rusage usage{};
  if (posix_spawnp(&pid, argv[0], &silent, nullptr, argv.data(), environ) != 0 ||
      wait4(pid, &status, 0, &usage) != pid || status != 0) {
    std::fprintf(stderr, "%s failed\n", argv[0]);
    std::exit(1);
  }
  posix_spawn_file_actions_destroy(&silent);
  const auto s = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return {s(usage.ru_utime) + s(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

std::vector<std::string> replay(const std::string& log) {
  return {TIDEGATE_BINARY, "replay", "--json", "--threads", "1", "--limit", "10/60s", log};
}

void against_mawk(const std::string& log) {
  LogWriter{log}.traffic(kLines);
  std::vector<double> ours;
  std::vector<double> mawks;
  std::vector<double> ratios;
  double most = 0;
  for (int round = 0; round < kRounds; ++round) {
    mawks.push_back(run({"mawk", "{n[$1]++}", log}).cpu);
    const Usage usage = run(replay(log));
    ours.push_back(usage.cpu);
    most = std::max(most, usage.megabytes);
    ratios.push_back(ours.back() / mawks.back());
  }
  std::printf(
      "%llu lines: replay %.2f s, mawk %.2f s, ratio %.2f (at most 1.5); %.2f M lines/s a "
      "core (at least 1); %.0f MB\n",
      static_cast<unsigned long long>(kLines), median(ours), median(mawks), median(ratios),
      static_cast<double>(kLines) / median(ours) / 1e6, most);
}

void many_clients(const std::string& log) {
  LogWriter{log}.each_client_once(kClients);
  std::printf("%llu clients: %.0f MB (under 500)\n", static_cast<unsigned long long>(kClients),
              run(replay(log)).megabytes);
}

}  // namespace
}  // namespace tidegate::bench

int main() {
  char folder[] = "/tmp/tidegate-replay-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  const std::string log = std::string{folder} + "/access.log";
  tidegate::bench::against_mawk(log);
  tidegate::bench::many_clients(log);
  unlink(log.c_str());
  rmdir(folder);
}
