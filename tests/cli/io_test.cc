#include "tidegate/cli/io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "tests/cli/in_process.h"
#include "tests/support/random.h"

namespace tidegate::cli {
namespace {

using test::MemoryFile;
using test::Random;
using namespace std::literals;

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
  }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  void close_reader() { close_end(ends[0]); }
  void close_writer() { close_end(ends[1]); }
  void write(std::string_view bytes) const {
    ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  // What lies in the pipe now.
  std::string content() const {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    char bytes[4096];
    const ssize_t got = read(ends[0], bytes, sizeof bytes);
    return {bytes, static_cast<std::size_t>(got < 0 ? 0 : got)};
  }

  int ends[2];

 private:
  static void close_end(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

TEST(Output, Reaches_the_reader_at_a_flush) {
  const Pipe pipe;
  Output out{pipe.ends[1]};
  out.write("one\n");
  out.write("two\n");
  EXPECT_EQ(pipe.content(), "");
  out.flush();
  EXPECT_EQ(pipe.content(), "one\ntwo\n");
  out.flush();
  EXPECT_EQ(pipe.content(), "");
}

TEST(Output, Keeps_order_when_it_overflows) {
  const MemoryFile file;
  Output out{file.fd()};
  std::string all;
  for (std::size_t size : {1u, 40'000u, 40'000u, 200'000u, 0u, 3u}) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    out.write(piece);
    all += piece;
  }
  out.flush();
  EXPECT_EQ(file.bytes(), all);
}

TEST(Output, Closes_without_an_error_when_its_reader_has_left) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  Output out{pipe.ends[1]};
  pipe.close_reader();
  out.write("one\n");
  EXPECT_TRUE(out.is_open());
  out.flush();
  EXPECT_FALSE(out.is_open());
  EXPECT_EQ(out.error(), 0);
}

TEST(Output, Names_the_error_of_a_full_device) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  Output out{full};
  out.write("one\n");
  out.flush();
  EXPECT_FALSE(out.is_open());
  EXPECT_EQ(out.error(), ENOSPC);
  close(full);
}

TEST(Output, Waits_for_a_reader_that_lags_behind_a_descriptor_that_does_not_block) {
  const Pipe pipe;
  fcntl(pipe.ends[1], F_SETFL, O_NONBLOCK);
  const std::string all(1'000'000, 'x');
  std::thread writer{[&] {
    Output out{pipe.ends[1]};
    out.write(all);
    out.flush();
    EXPECT_TRUE(out.is_open());
  }};
  std::string got(all.size(), '\0');
  for (std::size_t at = 0; at < got.size();) {
    const ssize_t size = read(pipe.ends[0], got.data() + at, got.size() - at);
    ASSERT_GT(size, 0);
    at += static_cast<std::size_t>(size);
  }
  writer.join();
  EXPECT_EQ(got, all);
}

std::vector<std::string> lines_of(int fd, std::size_t longest) {
  const MemoryFile nowhere;
  Output out{nowhere.fd()};
  LineReader reader{fd, longest, out};
  std::vector<std::string> lines;
  while (const auto line = reader.next()) {
    EXPECT_EQ(line->number, lines.size() + 1);
    if (line->length <= longest) {
      EXPECT_EQ(line->length, line->text.size());
    }
    lines.push_back(line->length <= longest ? std::string{line->text}
                                            : "too long: " + std::to_string(line->length));
  }
  EXPECT_EQ(reader.error(), 0);
  return lines;
}

TEST(LineReader, Splits_at_newlines_alone) {
  const struct {
    std::string_view input;
    std::vector<std::string> lines;
  } kTable[] = {
      {"", {}},
      {"\n", {""}},
      {"\n\n", {"", ""}},
      {"a", {"a"}},
      {"a\n", {"a"}},
      {"a\nb", {"a", "b"}},
      {"a\n\nb\n", {"a", "", "b"}},
      {"a\r\nb\r", {"a\r", "b\r"}},
      {"a\0b\nc"sv, {"a\0b"s, "c"}},
      {"12345678\n", {"12345678"}},
      {"123456789\n", {"too long: 9"}},
      {"123456789", {"too long: 9"}},
      {"a\n123456789\nb\n", {"a", "too long: 9", "b"}},
  };
  for (const auto& row : kTable)
    EXPECT_EQ(lines_of(MemoryFile{row.input}.fd(), 8), row.lines) << row.input;
}

// The same, said naively.
std::vector<std::string> split(std::string_view input, std::size_t longest) {
  std::vector<std::string> lines;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    lines.push_back(end <= longest ? std::string{input.substr(0, end)}
                                   : "too long: " + std::to_string(end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return lines;
}

std::string random_input(Random& random) {
  std::string input;
  for (std::int64_t left = random.between(0, 30); left > 0; --left) {
    const auto size = static_cast<std::size_t>(random.log_between(0, 200'000));
    input += std::string(size, 'x') + (left == 1 && random.chance(50) ? "" : "\n");
  }
  return input;
}

TEST(LineReader, Splits_the_same_however_the_input_arrives) {
  test::for_each_trace(100, [](Random& random) {
    Pipe pipe;
    const std::string input = random_input(random);
    std::thread writer{[&] {
      for (std::string_view rest = input; !rest.empty();) {
        const auto most = static_cast<std::size_t>(random.log_between(1, 100'000));
        const std::string_view piece = rest.substr(0, most);
        pipe.write(piece);
        rest.remove_prefix(piece.size());
      }
      pipe.close_writer();
    }};
    const std::vector<std::string> lines = lines_of(pipe.ends[0], 65536);
    writer.join();
    EXPECT_EQ(lines, split(input, 65536));
  });
}

TEST(LineReader, Flushes_before_it_waits_and_not_between_lines_it_has) {
  Pipe in;
  const Pipe answers;
  Output out{answers.ends[1]};
  LineReader reader{in.ends[0], 8, out};
  in.write("a\nb\n");
  ASSERT_TRUE(reader.next());
  out.write("A\n");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(answers.content(), "");
  out.write("B\n");
  in.close_writer();
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(answers.content(), "A\nB\n");
}

TEST(LineReader, Waits_on_a_descriptor_that_does_not_block) {
  Pipe in;
  fcntl(in.ends[0], F_SETFL, O_NONBLOCK);
  const Pipe answers;
  std::thread reader{[&] {
    Output out{answers.ends[1]};
    out.write("?");
    LineReader lines{in.ends[0], 8, out};
    const auto line = lines.next();
    ASSERT_TRUE(line);
    EXPECT_EQ(line->text, "a");
  }};
  char asked = 0;
  EXPECT_EQ(read(answers.ends[0], &asked, 1), 1);  // then there is nothing to read yet
  in.write("a\n");
  in.close_writer();
  reader.join();
}

TEST(LineReader, Names_the_error_of_what_cannot_be_read) {
  const int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const MemoryFile nowhere;
  Output out{nowhere.fd()};
  LineReader reader{folder, 8, out};
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.error(), EISDIR);
  close(folder);
}

TEST(Io, Complains_after_what_was_said_before) {
  const MemoryFile both;
  Io io{-1, both.fd(), both.fd()};
  io.out.write("allowed\n");
  io.complain("no such thing");
  EXPECT_EQ(both.bytes(), "allowed\nno such thing\n");
}

}  // namespace
}  // namespace tidegate::cli
