#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tidegate/wire/resp_reply.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::resp {
namespace {

using Texts = std::vector<std::string>;

// Requests as `word|word`, then the error if there is one, of bytes that come in pieces.
template <class PieceSize>
Texts read_requests(std::string_view bytes, const RequestBounds& bounds, PieceSize&& piece_size) {
  RequestReader reader{bounds};
  Texts texts;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string piece{bytes.substr(at, piece_size())};
    at += piece.size();
    reader.feed(piece);
    RequestReader::Next next{};
    while ((next = reader.next()) == RequestReader::Next::kRequest) {
      std::string text;
      for (const std::string_view word : reader.arguments()) text.append(word) += '|';
      texts.push_back(text);
    }
    if (next == RequestReader::Next::kError) {
      texts.push_back(reader.error());
      break;
    }
  }
  return texts;
}

// Whole, and byte by byte: they must agree.
Texts requests(std::string_view bytes, const RequestBounds& bounds = {}) {
  Texts whole = read_requests(bytes, bounds, [&] { return bytes.size(); });
  EXPECT_EQ(read_requests(bytes, bounds, [] { return std::size_t{1}; }), whole);
  return whole;
}

TEST(RespRequest, Is_an_array_of_bulk_strings) {
  EXPECT_EQ(requests("*2\r\n$4\r\nECHO\r\n$3\r\na\r\n\r\n"), (Texts{"ECHO|a\r\n|"}));
  EXPECT_EQ(requests("*1\r\n$4\r\nPING\r\n*1\r\n$0\r\n\r\n"), (Texts{"PING|", "|"}));
}

TEST(RespRequest, Passes_over_what_is_empty) {
  EXPECT_EQ(requests("*0\r\n\r\n*-1\r\n  \nPING\r\n"), (Texts{"PING|"}));
}

TEST(RespRequest, May_be_a_line_of_words) {
  EXPECT_EQ(requests("RL.TAKE key 5/s\r\nPING\n"), (Texts{"RL.TAKE|key|5/s|", "PING|"}));
  EXPECT_EQ(requests("a \"b c\" 'd \\' e' \"\\x41\\n\\\"\" \"\"\n"),
            (Texts{"a|b c|d ' e|A\n\"||"}));
  EXPECT_EQ(requests("a\tb\vc\n"), (Texts{"a|b|c|"}));
}

TEST(RespRequest, Is_refused_when_it_is_neither) {
  const std::pair<const char*, const char*> cases[] = {
      {"*x\r\n", "invalid multibulk length"},
      {"*1\n$1\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"*99999999999999999999\r\n", "invalid multibulk length"},
      {"*1025\r\n", "invalid multibulk length"},
      {"*1\r\n:1\r\n", "expected '$', got \":\""},
      {"*1\r\n$x\r\n", "invalid bulk length"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$2000000000\r\n", "invalid bulk length"},
      {"*1\r\n$1\r\naXY", "expected \\r\\n after a bulk of 1 bytes"},
      {"a \"b\n", "unbalanced quotes in request"},
      {"a 'b'c\n", "unbalanced quotes in request"},
  };
  for (const auto& [bytes, problem] : cases)
    EXPECT_EQ(requests(bytes), (Texts{std::string{"Protocol error: "} + problem})) << bytes;
}

TEST(RespRequest, Is_bounded) {
  const RequestBounds bounds{.arguments = 2, .bulk = 5, .request = 40, .line = 10};
  EXPECT_EQ(requests("*2\r\n$5\r\naaaaa\r\n$5\r\nbbbbb\r\n", bounds), (Texts{"aaaaa|bbbbb|"}));
  EXPECT_EQ(requests("*3\r\n", bounds), (Texts{"Protocol error: invalid multibulk length"}));
  EXPECT_EQ(requests("*1\r\n$6\r\n", bounds), (Texts{"Protocol error: invalid bulk length"}));
  EXPECT_EQ(requests("*2\r\n$5\r\naaaaa\r\n$5\r\n", {.bulk = 5, .request = 20}),
            (Texts{"Protocol error: a request of more than 20 bytes"}));
  EXPECT_EQ(requests("aaaaaaaaa\r\n", bounds), (Texts{"aaaaaaaaa|"}));
  EXPECT_EQ(requests("aaaaaaaaaaa", bounds), (Texts{"Protocol error: too big inline request"}));
}

TEST(RespRequest, Written_is_read_back) {
  test::for_each_trace(500, [](test::Random& random) {
    std::string bytes;
    Texts expected;
    for (std::int64_t i = random.between(1, 5); i > 0; --i) {
      std::vector<std::string> words;
      std::string text;
      for (std::int64_t j = random.between(1, 6); j > 0; --j) {
        words.emplace_back(static_cast<std::size_t>(random.log_between(0, 3'000)),
                           static_cast<char>(random.bits()));
        text += words.back() + '|';
      }
      expected.push_back(text);
      append_request(bytes, std::vector<std::string_view>{words.begin(), words.end()});
    }
    EXPECT_EQ(read_requests(bytes, {},
                            [&] { return static_cast<std::size_t>(random.log_between(1, 4'000)); }),
              expected);
  });
}

std::string random_request_bytes(test::Random& random) {
  std::string bytes;
  for (std::int64_t i = random.between(1, 12); i > 0; --i)
    bytes += random.pick<const char*>({"*1\r\n", "*2\r\n", "*0\r\n", "*-1\r\n", "$3\r\nabc\r\n",
                                       "$0\r\n\r\n", "PING\r\n", "a 'b\n", "\"\\x4", "*", "$",
                                       "\r\n", "\n", "-", "9", "1", "\t", "\xff"});
  return bytes;
}

TEST(RespRequest, Is_read_alike_in_any_pieces_of_any_bytes) {
  test::for_each_trace(100'000, [](test::Random& random) {
    const std::string bytes = random_request_bytes(random);
    const Texts whole = read_requests(bytes, {}, [&] { return bytes.size(); });
    const auto pieces =
        read_requests(bytes, {}, [&] { return static_cast<std::size_t>(random.between(1, 9)); });
    EXPECT_EQ(pieces, whole) << bytes;
  });
}

// ---- replies

std::string shown(std::span<const ReplyNode>& nodes) {
  using Type = ReplyNode::Type;
  const ReplyNode node = nodes.front();
  nodes = nodes.subspan(1);
  switch (node.type) {
    case Type::kText:
      return '"' + std::string{node.text} + '"';
    case Type::kError:
      return '-' + std::string{node.text};
    case Type::kDouble:
      return ',' + std::string{node.text};
    case Type::kInteger:
      return std::to_string(node.integer);
    case Type::kBoolean:
      return node.integer != 0 ? "true" : "false";
    case Type::kNull:
      return "null";
    case Type::kArray:
      break;
  }
  std::string text = "[";
  for (std::size_t i = 0; i < node.elements; ++i) text += (i > 0 ? " " : "") + shown(nodes);
  return text + "]";
}

template <class PieceSize>
Texts read_replies(std::string_view bytes, const ReplyBounds& bounds, PieceSize&& piece_size) {
  ReplyReader reader{bounds};
  Texts texts;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string piece{bytes.substr(at, piece_size())};
    at += piece.size();
    reader.feed(piece);
    ReplyReader::Next next{};
    while ((next = reader.next()) == ReplyReader::Next::kReply) {
      std::span<const ReplyNode> nodes = reader.reply();
      texts.push_back((reader.push() ? ">" : "") + shown(nodes));
      EXPECT_TRUE(nodes.empty());
    }
    if (next == ReplyReader::Next::kError) {
      texts.push_back(reader.error());
      break;
    }
  }
  return texts;
}

Texts replies(std::string_view bytes, const ReplyBounds& bounds = {}) {
  Texts whole = read_replies(bytes, bounds, [&] { return bytes.size(); });
  EXPECT_EQ(read_replies(bytes, bounds, [] { return std::size_t{1}; }), whole);
  return whole;
}

TEST(RespReply, Is_read_in_both_protocols) {
  EXPECT_EQ(replies("+OK\r\n-ERR no\r\n:-7\r\n$3\r\na\r\n\r\n$-1\r\n*-1\r\n"),
            (Texts{"\"OK\"", "-ERR no", "-7", "\"a\r\n\"", "null", "null"}));
  EXPECT_EQ(replies("_\r\n#t\r\n#f\r\n,1.5\r\n(123\r\n=5\r\ntxt:x\r\n!3\r\nERR\r\n"),
            (Texts{"null", "true", "false", ",1.5", "\"123\"", "\"x\"", "-ERR"}));
  EXPECT_EQ(replies("*3\r\n:1\r\n*2\r\n*0\r\n$-1\r\n+x\r\n"), (Texts{"[1 [[] null] \"x\"]"}));
  EXPECT_EQ(replies("%1\r\n+a\r\n:1\r\n~2\r\n:1\r\n:2\r\n>2\r\n+m\r\n:1\r\n"),
            (Texts{"[\"a\" 1]", "[1 2]", ">[\"m\" 1]"}));
}

TEST(RespReply, Is_refused_when_it_is_none) {
  const std::pair<const char*, const char*> cases[] = {
      {"\r\n", "a line without a type"},   {":x\r\n", "not a number: \"x\""},
      {"$1x\r\n", "not a number: \"1x\""}, {"#x\r\n", "not a boolean: \"x\""},
      {"@1\r\n", "no such type: \"@\""},   {"$1\r\naXY", "a text that does not end"},
  };
  for (const auto& [bytes, problem] : cases)
    EXPECT_EQ(replies(bytes), (Texts{std::string{"Protocol error: "} + problem})) << bytes;
}

TEST(RespReply, Is_bounded) {
  const ReplyBounds bounds{.nodes = 4, .bulk = 5, .depth = 2, .line = 10};
  EXPECT_EQ(replies("*1\r\n*2\r\n:1\r\n:2\r\n", bounds), (Texts{"[[1 2]]"}));
  EXPECT_EQ(replies("*4\r\n:1\r\n:2\r\n:3\r\n:4\r\n", bounds),
            (Texts{"Protocol error: too many elements"}));
  EXPECT_EQ(replies("*1\r\n*1\r\n*1\r\n", bounds), (Texts{"Protocol error: too deep"}));
  EXPECT_EQ(replies("$6\r\n", bounds), (Texts{"Protocol error: a text that is too long"}));
  EXPECT_EQ(replies("+aaaaaaaaaaaaaaa", bounds),
            (Texts{"Protocol error: a line that does not end"}));
}

TEST(RespReply, Written_is_read_back) {
  for (const Protocol protocol : {Protocol::kResp2, Protocol::kResp3}) {
    std::string bytes;
    ReplyWriter writer{bytes, protocol};
    writer.array(4).integer(-1).text("a\r\nb").null().map(1).text("k").array(0);
    writer.error("ERR a\nb").verbatim("info").ok().set(1).simple("x");
    EXPECT_EQ(replies(bytes), (Texts{"[-1 \"a\r\nb\" null [\"k\" []]]", "-ERR a b", "\"info\"",
                                     "\"OK\"", "[\"x\"]"}));
  }
}

TEST(RespReply, Survives_random_bytes_in_any_pieces) {
  test::for_each_trace(3'000, [](test::Random& random) {
    std::string bytes;
    for (int i = 0; i < 40; ++i)
      bytes += random.pick<const char*>({"*2\r\n", "$3\r\nabc\r\n", ":1\r\n", "\r\n", "+", "%1\r\n",
                                         "$-1\r\n", "9", "_\r\n", "#t\r\n", "-x\r\n", ">1\r\n"});
    const Texts whole = read_replies(bytes, {}, [&] { return bytes.size(); });
    EXPECT_EQ(
        read_replies(bytes, {}, [&] { return static_cast<std::size_t>(random.between(1, 9)); }),
        whole);
  });
}

}  // namespace
}  // namespace tidegate::resp
