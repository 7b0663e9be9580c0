#include "tidegate/wire/resp_reply.h"

#include <algorithm>
#include <charconv>

#include "tidegate/base/quote.h"

namespace tidegate::resp {
namespace {

constexpr std::string_view kEnd = "\r\n";

bool read_number(std::string_view text, std::int64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc{} && stop == end;
}

bool holds_others(char type) {
  return type == '*' || type == '~' || type == '>' || type == '%';
}

}  // namespace

ReplyWriter& ReplyWriter::simple(std::string_view line) {
  return this->line('+', line);
}

ReplyWriter& ReplyWriter::error(std::string_view line) {
  return this->line('-', line);
}

// A line must not end within itself.
ReplyWriter& ReplyWriter::line(char type, std::string_view text) {
  out_ += type;
  for (const char c : text) out_ += c == '\r' || c == '\n' ? ' ' : c;
  out_ += kEnd;
  return *this;
}

ReplyWriter& ReplyWriter::integer(std::int64_t number) {
  return head(':', number);
}

ReplyWriter& ReplyWriter::text(std::string_view bytes) {
  head('$', static_cast<std::int64_t>(bytes.size()));
  out_.append(bytes).append(kEnd);
  return *this;
}

ReplyWriter& ReplyWriter::verbatim(std::string_view bytes) {
  if (!resp3()) return text(bytes);
  constexpr std::string_view kFormat = "txt:";
  head('=', static_cast<std::int64_t>(kFormat.size() + bytes.size()));
  out_.append(kFormat).append(bytes).append(kEnd);
  return *this;
}

ReplyWriter& ReplyWriter::null() {
  out_ += resp3() ? "_\r\n" : "$-1\r\n";
  return *this;
}

ReplyWriter& ReplyWriter::array(std::size_t elements) {
  return head('*', static_cast<std::int64_t>(elements));
}

ReplyWriter& ReplyWriter::set(std::size_t elements) {
  return head(resp3() ? '~' : '*', static_cast<std::int64_t>(elements));
}

ReplyWriter& ReplyWriter::map(std::size_t pairs) {
  return resp3() ? head('%', static_cast<std::int64_t>(pairs))
                 : head('*', static_cast<std::int64_t>(2 * pairs));
}

ReplyWriter& ReplyWriter::head(char type, std::int64_t number) {
  char line[24];
  line[0] = type;
  char* end = std::to_chars(line + 1, line + sizeof line - kEnd.size(), number).ptr;
  end = std::copy(kEnd.begin(), kEnd.end(), end);
  out_.append(line, static_cast<std::size_t>(end - line));
  return *this;
}

ReplyReader::Next ReplyReader::next() {
  if (!error_.empty()) return Next::kError;
  if (!under_way_) begin();
  const Step step = read_nodes();
  if (step == Step::kDone) {
    place_texts();
    input_.consume(at_);
    under_way_ = false;
    return Next::kReply;
  }
  input_.keep();
  return step == Step::kMore ? Next::kMore : Next::kError;
}

void ReplyReader::begin() {
  under_way_ = true;
  push_ = false;
  nodes_.clear();
  places_.clear();
  at_ = scanned_ = 0;
  left_.assign(1, 1);
}

ReplyReader::Step ReplyReader::read_nodes() {
  while (!left_.empty()) {
    if (left_.back() == 0) {
      left_.pop_back();
      continue;
    }
    if (const Step step = read_node(); step != Step::kDone) return step;
  }
  return Step::kDone;
}

ReplyReader::Step ReplyReader::read_node() {
  const std::string_view rest = input_.rest();
  const std::size_t end = rest.find(kEnd, std::max(at_, scanned_));
  if (end == std::string_view::npos) {
    if (rest.size() - at_ > bounds_.line) return fail("a line that does not end");
    scanned_ = rest.empty() ? 0 : rest.size() - 1;  // its last byte may be half of the end
    return Step::kMore;
  }
  if (end == at_) return fail("a line without a type");
  if (nodes_.size() >= bounds_.nodes) return fail("too many elements");
  return read_typed(rest[at_], rest.substr(at_ + 1, end - at_ - 1));
}

// Each case reads a whole node and moves past it, or nothing.
ReplyReader::Step ReplyReader::read_typed(char type, std::string_view line) {
  using Type = ReplyNode::Type;
  const std::size_t begin = at_ + 1;
  std::int64_t number = 0;
  switch (type) {
    case '+':
    case '(':
      return read_text(Type::kText, begin, line.size());
    case '-':
      return read_text(Type::kError, begin, line.size());
    case ',':
      return read_text(Type::kDouble, begin, line.size());
    case '_':
      return read_aggregate(type, -1);
    case '#':
      if (line != "t" && line != "f") return fail("not a boolean: " + quoted(line));
      nodes_.push_back({.type = Type::kBoolean, .integer = line == "t"});
      break;
    default:
      if (!read_number(line, number)) return fail("not a number: " + quoted(line));
      if (type == '$' || type == '=' || type == '!') return read_bulk(type, number);
      if (holds_others(type)) return read_aggregate(type, number);
      if (type != ':') return fail("no such type: " + quoted({&type, 1}));
      nodes_.push_back({.type = Type::kInteger, .integer = number});
  }
  at_ = begin + line.size() + kEnd.size();
  --left_.back();
  return Step::kDone;
}

ReplyReader::Step ReplyReader::read_aggregate(char type, std::int64_t elements) {
  at_ = input_.rest().find(kEnd, at_) + kEnd.size();
  if (elements < 0) {
    nodes_.push_back({});
    --left_.back();
    return Step::kDone;
  }
  if (static_cast<std::uint64_t>(elements) > bounds_.nodes) return fail("too many elements");
  if (left_.size() > bounds_.depth) return fail("too deep");
  const std::size_t count = static_cast<std::size_t>(elements) * (type == '%' ? 2 : 1);
  push_ = push_ || (type == '>' && nodes_.empty());
  nodes_.push_back({.type = ReplyNode::Type::kArray, .elements = count});
  --left_.back();
  left_.push_back(count);
  return Step::kDone;
}

ReplyReader::Step ReplyReader::read_bulk(char type, std::int64_t size) {
  constexpr std::size_t kFormatBytes = 4;  // of a verbatim text: `txt:`
  if (size < 0) return read_aggregate(type, -1);
  if (static_cast<std::uint64_t>(size) > bounds_.bulk) return fail("a text that is too long");
  const std::string_view rest = input_.rest();
  const std::size_t begin = rest.find(kEnd, at_) + kEnd.size();
  const auto length = static_cast<std::size_t>(size);
  if (rest.size() < begin + length + kEnd.size()) {
    scanned_ = at_;
    return Step::kMore;
  }
  if (rest.substr(begin + length, kEnd.size()) != kEnd) return fail("a text that does not end");
  const std::size_t skip = type == '=' ? std::min(kFormatBytes, length) : 0;
  return read_text(type == '!' ? ReplyNode::Type::kError : ReplyNode::Type::kText, begin + skip,
                   length - skip);
}

ReplyReader::Step ReplyReader::read_text(ReplyNode::Type type, std::size_t begin,
                                         std::size_t size) {
  places_.push_back({nodes_.size(), begin, size});
  nodes_.push_back({.type = type});
  at_ = begin + size + kEnd.size();
  --left_.back();
  return Step::kDone;
}

void ReplyReader::place_texts() {
  for (const auto& [node, begin, size] : places_)
    nodes_[node].text = input_.rest().substr(begin, size);
}

ReplyReader::Step ReplyReader::fail(std::string problem) {
  error_ = "Protocol error: " + std::move(problem);
  return Step::kError;
}

}  // namespace tidegate::resp
