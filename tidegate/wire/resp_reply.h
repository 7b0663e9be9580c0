// RESP replies, both ways: a server writes them in the protocol that its client has asked for, a
// client reads them as they arrive (the Redis serialization protocol, versions 2 and 3).
//
//   ReplyWriter{out, Protocol::kResp3}.map(2).text("server").text("tidegate")...
//   reader.feed(bytes);
//   while (reader.next() == ReplyReader::Next::kReply) use(reader.reply());
//
// Thread safety: none. Cost: O(bytes); the reader copies nothing that lies whole in what was fed,
// and allocates only as bytes arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/wire/input.h"

namespace tidegate::resp {

enum class Protocol : std::uint8_t { kResp2 = 2, kResp3 = 3 };

class ReplyWriter {
 public:
  ReplyWriter(std::string& out, Protocol protocol) : out_{out}, protocol_{protocol} {}

  Protocol protocol() const { return protocol_; }

  ReplyWriter& ok() { return simple("OK"); }
  // A word or a line of our own. A line break within it becomes a blank.
  ReplyWriter& simple(std::string_view line);
  ReplyWriter& error(std::string_view line);  // begins with its code: `ERR ...`
  ReplyWriter& integer(std::int64_t number);
  ReplyWriter& text(std::string_view bytes);      // a bulk string
  ReplyWriter& verbatim(std::string_view bytes);  // plain text for people
  ReplyWriter& null();
  // Heads: so many elements follow, or so many pairs of a key and a value.
  ReplyWriter& array(std::size_t elements);
  ReplyWriter& set(std::size_t elements);
  ReplyWriter& map(std::size_t pairs);

 private:
  bool resp3() const { return protocol_ == Protocol::kResp3; }
  ReplyWriter& head(char type, std::int64_t number);
  ReplyWriter& line(char type, std::string_view text);

  std::string& out_;
  Protocol protocol_;
};

// A reply is its nodes in the order they came: an aggregate, then its elements.
struct ReplyNode {
  enum class Type : std::uint8_t { kText, kError, kInteger, kDouble, kBoolean, kNull, kArray };

  Type type = Type::kNull;
  std::int64_t integer = 0;    // kInteger, kBoolean
  std::string_view text = {};  // kText, kError, kDouble (as it was written)
  std::size_t elements = 0;    // kArray; a map has two for each pair
};

struct ReplyBounds {
  std::size_t nodes = std::size_t{1} << 20;  // of one reply
  std::size_t bulk = std::size_t{64} << 20;  // bytes of one text
  std::size_t depth = 32;
  std::size_t line = std::size_t{64} * 1024;
};

class ReplyReader {
 public:
  explicit ReplyReader(const ReplyBounds& bounds = {}) : bounds_{bounds} {}

  // As for RequestReader.
  void feed(std::string_view bytes) { input_.feed(bytes); }
  enum class Next { kMore, kReply, kError };
  Next next();

  std::span<const ReplyNode> reply() const { return nodes_; }
  // Whether the reply is a push of the server's own (RESP3), which answers no request.
  bool push() const { return push_; }
  const std::string& error() const { return error_; }

 private:
  struct Place {  // of a text, as an offset in a reply that may move until it is whole
    std::size_t node;
    std::size_t begin;
    std::size_t size;
  };
  enum class Step { kDone, kMore, kError };

  void begin();
  Step read_nodes();
  Step read_node();
  Step read_typed(char type, std::string_view line);
  Step read_aggregate(char type, std::int64_t elements);
  Step read_bulk(char type, std::int64_t size);
  Step read_text(ReplyNode::Type type, std::size_t begin, std::size_t size);
  Step fail(std::string problem);
  void place_texts();

  const ReplyBounds bounds_;
  Input input_;
  std::size_t at_ = 0;       // how much of input_.rest() has been read
  std::size_t scanned_ = 0;  // how far a line's end has been looked for
  bool under_way_ = false;
  bool push_ = false;
  std::vector<ReplyNode> nodes_;
  std::vector<Place> places_;
  std::vector<std::size_t> left_;  // elements still to come, of each aggregate that is open
  std::string error_;
};

}  // namespace tidegate::resp
