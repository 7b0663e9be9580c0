#include "tidegate/wire/grpc.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random.h"

namespace tidegate::grpc {
namespace {

using namespace std::chrono_literals;

std::string framed(std::string_view payload) {
  std::string bytes;
  append_message(bytes, payload);
  return bytes;
}

// The payloads of a stream fed in pieces that end at these places, or the status that ended it.
tl::expected<std::vector<std::string>, Status> split(std::string_view bytes, std::size_t longest,
                                                     const std::vector<std::size_t>& ends) {
  Reader reader{longest};
  std::vector<std::string> payloads;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const std::string piece{bytes.substr(begin, end - begin)};  // gone before the next is fed
    begin = end;
    reader.feed(piece);
    for (;;) {
      const auto message = reader.next();
      if (!message) return tl::unexpected{message.error()};
      if (!*message) break;
      payloads.emplace_back((*message)->payload);
    }
  }
  return payloads;
}

std::vector<std::size_t> byte_by_byte(std::size_t size) {
  std::vector<std::size_t> ends(size);
  for (std::size_t i = 0; i < size; ++i) ends[i] = i + 1;
  return ends;
}

TEST(GrpcMessage, Has_a_flag_and_a_length_of_four_bytes_before_it) {
  EXPECT_EQ(framed("abc"), (std::string{"\0\0\0\0\3abc", 8}));
  EXPECT_EQ(framed(""), (std::string{"\0\0\0\0\0", 5}));
  EXPECT_EQ(framed(std::string(0x010203, 'x')).substr(0, 5), (std::string{"\0\0\1\2\3", 5}));
}

TEST(GrpcReader, Splits_a_stream_in_any_pieces) {
  const std::vector<std::string> payloads = {"one", "", std::string(300, 'x'), "last"};
  std::string bytes;
  for (const std::string& payload : payloads) append_message(bytes, payload);
  EXPECT_EQ(split(bytes, 300, {bytes.size()}), payloads);
  EXPECT_EQ(split(bytes, 300, byte_by_byte(bytes.size())), payloads);
  test::for_each_trace(200, [&](test::Random& random) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < bytes.size();)
      ends.push_back(at = std::min<std::size_t>(bytes.size(), at + 1 + random.bits() % 40));
    EXPECT_EQ(split(bytes, 300, ends), payloads);
  });
}

TEST(GrpcReader, Refuses_a_length_above_the_bound_before_its_bytes_come) {
  const auto end = split(std::string{"\0\x7f\xff\xff\xff", 5}, 4096, {5});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, Code::kResourceExhausted);
  EXPECT_EQ(end.error().message, "a message of 2147483647 bytes; at most 4096 are taken");
}

TEST(GrpcReader, Takes_a_message_as_long_as_the_bound) {
  EXPECT_TRUE(split(framed(std::string(4096, 'x')), 4096, {4101}));
  EXPECT_FALSE(split(framed(std::string(4097, 'x')), 4096, {5}));
}

TEST(GrpcReader, Refuses_a_flag_that_is_neither_0_nor_1) {
  const auto end = split("\2", 4096, {1});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, Code::kInternal);
}

TEST(GrpcReader, Tells_a_compressed_message) {
  Reader reader{100};
  const std::string bytes{"\1\0\0\0\1z", 6};
  reader.feed(bytes);
  const auto message = reader.next();
  ASSERT_TRUE(message && *message);
  EXPECT_TRUE((*message)->compressed);
  EXPECT_EQ((*message)->payload, "z");
}

TEST(GrpcReader, Knows_whether_a_message_is_cut_off) {
  Reader reader{100};
  EXPECT_FALSE(reader.partial());
  reader.feed(std::string_view{"\0\0\0\0\2a", 6});
  EXPECT_FALSE(*reader.next());
  EXPECT_TRUE(reader.partial());
  reader.feed("b");
  EXPECT_TRUE(*reader.next());
  EXPECT_FALSE(*reader.next());
  EXPECT_FALSE(reader.partial());
}

TEST(GrpcTimeout, Is_digits_and_a_unit) {
  const std::pair<const char*, Duration> cases[] = {
      {"1H", 1h},        {"2M", 2min}, {"3S", 3s},     {"20m", 20ms}, {"40u", 40us},
      {"50000n", 50us},  {"1n", 1us},  {"1001n", 2us}, {"0S", 0us},   {"99999999H", 99'999'999h},
      {"00000001S", 1s},
  };
  for (const auto& [text, duration] : cases) EXPECT_EQ(parse_timeout(text), duration) << text;
}

TEST(GrpcTimeout, Is_nothing_else) {
  for (const char* text : {"", "S", "1", "1s", "-1S", "+1S", " 1S", "1 S", "1SS", "123456789S",
                           "99999999999999999999S", "1.5S", "0x1S"}) {
    const auto timeout = parse_timeout(text);
    ASSERT_FALSE(timeout) << text;
    EXPECT_NE(timeout.error().what.find("20m"), std::string::npos);
  }
}

TEST(GrpcStatus, Percent_encodes_what_a_header_cannot_hold) {
  EXPECT_EQ(percent_encoded("no such domain \"api\""), "no such domain \"api\"");
  EXPECT_EQ(percent_encoded("100%"), "100%25");
  EXPECT_EQ(percent_encoded("a\nb\x7f\xc3\xa9"), "a%0Ab%7F%C3%A9");
}

TEST(GrpcStatus, Codes_are_numbers) {
  EXPECT_EQ(to_text(Code::kOk), "0");
  EXPECT_EQ(to_text(Code::kUnimplemented), "12");
  EXPECT_EQ(to_text(Code::kUnauthenticated), "16");
}

}  // namespace
}  // namespace tidegate::grpc
