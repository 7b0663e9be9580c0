#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <utime.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/random.h"
#include "tidegate/replay/logs/log_reader.h"

namespace tidegate::replay {
namespace {

// A file of this process that is gone with the test.
class TempFile {
 public:
  explicit TempFile(std::string_view bytes) {
    static int number = 0;
    path_ = testing::TempDir() + "tidegate_logs_" + std::to_string(getpid()) + "_" +
            std::to_string(++number);
    std::ofstream{path_, std::ios::binary} << bytes;
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

std::string line_of(std::string_view client) {
  return std::string{client} + R"( - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)";
}

struct ReadAll {
  std::vector<std::string> clients;
  ReadCounts counts;
  std::string failure;
  std::string form;
};

ReadAll read_all(const std::vector<std::string>& files, ReadOptions options = {}) {
  options.wanted = {"client"};
  auto reader = LogReader::open(files, std::move(options));
  if (!reader) return {{}, {}, reader.error().message(), {}};
  ReadAll all;
  Request request;
  while (reader->next(request)) all.clients.emplace_back(request.fields[0]);
  EXPECT_TRUE(reader->failure() || reader->bytes_read() == reader->bytes_total() ||
              reader->bytes_total() == 0);
  all.counts = reader->counts();
  all.form = reader->form();
  if (reader->failure()) all.failure = reader->failure()->message();
  return all;
}

using Clients = std::vector<std::string>;

TEST(LogReader, Reads_several_files_one_after_another) {
  const TempFile one{line_of("a") + "\n" + line_of("b") + "\n"};
  const TempFile two{line_of("c") + "\n"};
  const ReadAll all = read_all({one.path(), two.path(), one.path()});
  EXPECT_EQ(all.clients, (Clients{"a", "b", "c", "a", "b"}));
  EXPECT_EQ(all.counts.lines, 5U);
  EXPECT_EQ(all.counts.bad_lines, 0U);
  EXPECT_EQ(all.form, "combined");
}

TEST(LogReader, Knows_ends_of_lines_and_marks_of_byte_order) {
  const TempFile file{"\xef\xbb\xbf" + line_of("a") + "\r\n" + line_of("b") + "\n" + line_of("c")};
  EXPECT_EQ(read_all({file.path()}).clients, (Clients{"a", "b", "c"}));
  const TempFile table{"\xef\xbb\xbftime,client\r\n971211336,a\r\n971211337,b"};
  const ReadAll all = read_all({table.path()});
  EXPECT_EQ(all.clients, (Clients{"a", "b"}));
  EXPECT_EQ(all.counts.lines, 2U) << "the header is none of them";
}

TEST(LogReader, Counts_bad_lines_with_their_numbers) {
  const TempFile one{"hello\n" + line_of("a") + "\n\n" + line_of("b") + "\n"};
  const TempFile two{line_of("c") + "\nbye"};
  const ReadAll all = read_all({one.path(), two.path()}, {.first_bad_lines = 2});
  EXPECT_EQ(all.clients, (Clients{"a", "b", "c"}));
  EXPECT_EQ(all.counts.lines, 6U);
  EXPECT_EQ(all.counts.bad_lines, 3U);
  ASSERT_EQ(all.counts.first_bad.size(), 2U);
  EXPECT_EQ(all.counts.first_bad[0].file, one.path());
  EXPECT_EQ(all.counts.first_bad[0].line, 1U);
  EXPECT_EQ(all.counts.first_bad[1].line, 3U);
  EXPECT_EQ(all.counts.first_bad[1].reason, "an empty line");
}

TEST(LogReader, Reads_members_of_gzip_and_what_pads_them) {
  const TempFile file{gzip(line_of("a") + "\n" + line_of("b")) + gzip("\n" + line_of("c") + "\n") +
                      std::string(512, '\0')};
  const ReadAll all = read_all({file.path()});
  EXPECT_EQ(all.clients, (Clients{"a", "b", "c"}));
  EXPECT_EQ(all.failure, "");
}

TEST(LogReader, Reads_frames_of_zstd) {
  const TempFile file{zstd(line_of("a") + "\n") + zstd(line_of("b"))};
  EXPECT_EQ(read_all({file.path()}).clients, (Clients{"a", "b"}));
}

// An unpacker keeps what there was no room for, perhaps when its input is at its end already.
TEST(LogReader, Takes_all_that_small_packed_files_hold) {
  test::for_each_trace(20, [](test::Random& random) {
    const auto lines = static_cast<std::size_t>(random.between(20'000, 80'000));
    std::string text;
    for (std::size_t i = 0; i < lines; ++i) text += line_of("a") + "\n";
    const TempFile file{random.chance(80) ? zstd(text) : gzip(text)};
    const ReadAll all = read_all({file.path()});
    EXPECT_EQ(all.clients.size(), lines);
    EXPECT_EQ(all.failure, "");
  });
}

TEST(LogReader, Gives_what_a_cut_file_holds_and_says_so) {
  test::Random random{1};
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += line_of(std::to_string(random.bits())) + "\n";
  for (const std::string& packed : {zstd(text), gzip(text)}) {
    const TempFile file{packed.substr(0, packed.size() - packed.size() / 8)};
    const ReadAll all = read_all({file.path()});
    EXPECT_GT(all.clients.size(), 30'000U);
    EXPECT_NE(all.failure, "");
  }
  const TempFile broken{gzip(text).replace(40'000, 40, 40, 'x')};
  EXPECT_NE(read_all({broken.path()}).failure, "");
}

TEST(LogReader, Says_which_file_cannot_be_read) {
  EXPECT_NE(read_all({"/nonexistent/access.log"}).failure.find("/nonexistent/access.log"),
            std::string::npos);
  EXPECT_NE(read_all({testing::TempDir()}).failure, "") << "a folder";
  EXPECT_NE(read_all({"-", "-"}).failure, "") << "standard input twice";
  const TempFile noise{"no log\nat all\n"};
  EXPECT_NE(read_all({noise.path()}).failure.find(noise.path()), std::string::npos);
}

TEST(LogReader, Finds_nothing_in_an_empty_file) {
  const TempFile file{""};
  const ReadAll all = read_all({file.path()});
  EXPECT_EQ(all.counts.lines, 0U);
  EXPECT_EQ(all.failure, "");
}

TEST(LogReader, Knows_before_the_run_that_a_field_is_missing) {
  const TempFile one{line_of("a") + "\n"};
  const TempFile two{"time,user\n971211336,ada\n"};
  const auto reader =
      LogReader::open({one.path(), two.path()}, {.fields = {}, .wanted = {"client", "status"}});
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().where, two.path() + ": field \"client\"");
}

// Lines of any length, across the ends of blocks; too long ones are one bad line each.
TEST(LogReader, Bounds_the_length_of_lines) {
  test::for_each_trace(12, [](test::Random& random) {
    std::string text;
    std::vector<std::string> clients;
    std::uint64_t bad = 0;
    while (text.size() < 6'000'000) {
      const bool longer = random.chance(5);
      const auto size =
          static_cast<std::size_t>(longer ? random.between(1'050'000, 3'000'000)
                                          : random.between(0, random.chance(10) ? 1'000'000 : 300));
      clients.push_back(std::to_string(random.bits()));
      text += line_of(clients.back()) + " \"-\" \"" + std::string(size, 'x') + "\"\n";
      if (!longer) continue;
      clients.pop_back();
      ++bad;
    }
    if (random.chance(50)) text.pop_back();
    const TempFile file{random.chance(50) ? text : zstd(text)};
    const ReadAll all = read_all({file.path()}, {.form = "combined"});
    EXPECT_EQ(all.clients, clients);
    EXPECT_EQ(all.counts.bad_lines, bad);
    EXPECT_EQ(all.counts.lines, clients.size() + bad);
  });
}

// Standard input is a pipe here, and gives what it has in small pieces.
class Piped {
 public:
  explicit Piped(std::string_view bytes) : saved_{dup(STDIN_FILENO)} {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
  }
  ~Piped() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }
  Piped(const Piped&) = delete;
  Piped& operator=(const Piped&) = delete;

 private:
  int saved_;
};

TEST(LogReader, Reads_standard_input_plain_or_packed) {
  const std::string text = line_of("a") + "\n" + line_of("b") + "\n";
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    const Piped piped{bytes};
    const ReadAll all = read_all({"-"});
    EXPECT_EQ(all.clients, (Clients{"a", "b"}));
  }
}

TEST(LogReader, Takes_years_from_the_file_where_lines_have_none) {
  const TempFile file{"time,client\nFeb 25 16:19:38,a\n"};
  constexpr std::time_t kMarch2019 = 1'551'500'000;
  const utimbuf written{kMarch2019, kMarch2019};
  ASSERT_EQ(utime(file.path().c_str(), &written), 0);
  auto reader = LogReader::open({file.path()}, {.form = "csv", .fields = {}, .wanted = {"client"}});
  Request request;
  ASSERT_TRUE(reader && reader->next(request));
  EXPECT_EQ(request.at, Time{std::chrono::seconds{1'551'111'578}});
}

}  // namespace
}  // namespace tidegate::replay
