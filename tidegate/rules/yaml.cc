#include "tidegate/rules/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "tidegate/base/quote.h"

namespace tidegate::yaml {
namespace {

Mark mark_of(const YAML::Mark& mark) {
  const auto from_one = [](int from_zero) {
    return from_zero < 0 ? std::size_t{1} : static_cast<std::size_t>(from_zero) + 1;
  };
  return {.line = from_one(mark.line), .column = from_one(mark.column)};
}

// Stops the parser from within its callbacks; caught in this file.
struct Refusal {
  Mark mark;
  std::string what;
};

[[noreturn]] void refuse(Mark mark, std::string what) {
  throw Refusal{mark, std::move(what)};
}

Node node_at(Kind kind, Mark mark) {
  Node node;
  node.kind = kind;
  node.mark = mark;
  return node;
}

// A finished node, and what a copy of it costs.
struct Counted {
  Node node;
  std::size_t nodes = 1;
  std::size_t bytes = 0;  // of its texts
  std::size_t depth = 0;  // of lists and maps
};

// A list or a map that is being read.
struct Open {
  Counted counted;
  YAML::anchor_t anchor;
  std::optional<Node> key = std::nullopt;                  // of a map: its value comes next
  std::unordered_map<std::string, std::size_t> keys = {};  // their lines
};

class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(const Bounds& bounds) : bounds_{bounds} {}

  std::vector<Node> take_documents() { return std::move(documents_); }

  // Where the innermost list or map begins that is still open.
  Mark innermost(Mark otherwise) const {
    return open_.empty() ? otherwise : open_.back().counted.node.mark;
  }

  void OnDocumentStart(const YAML::Mark&) override { anchors_.clear(); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(1, mark_of(mark));
    finish({.node = node_at(Kind::kNull, mark_of(mark))}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::kList, mark_of(mark), tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::kMap, mark_of(mark), tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  void count(std::size_t nodes, Mark mark);
  void count_copy(const Counted& copied);
  void check_depth(std::size_t below, Mark mark) const;
  void open(Kind kind, Mark mark, const std::string& tag, YAML::anchor_t anchor);
  void close();
  void finish(Counted counted, YAML::anchor_t anchor);
  void attach(Counted counted);
  void attach_document(Node document);
  void attach_key(Open& map, Node key);

  const Bounds& bounds_;
  std::vector<Node> documents_;
  std::vector<Open> open_;  // from the outermost to the innermost
  std::map<YAML::anchor_t, Counted> anchors_;
  std::size_t nodes_ = 0;
  std::size_t copied_ = 0;  // bytes
};

void Builder::count(std::size_t nodes, Mark mark) {
  nodes_ += nodes;
  if (nodes_ > bounds_.nodes)
    refuse(mark, "more than " + std::to_string(bounds_.nodes) + " nodes, aliases counted");
}

// Of a text that is kept twice: what one repeats must not outgrow what one may write.
void Builder::count_copy(const Counted& copied) {
  copied_ += copied.bytes;
  if (copied_ > bounds_.bytes)
    refuse(copied.node.mark,
           "its aliases repeat more than " + std::to_string(bounds_.bytes) + " bytes");
}

void Builder::check_depth(std::size_t below, Mark mark) const {
  if (open_.size() + below > bounds_.depth)
    refuse(mark, "nested deeper than " + std::to_string(bounds_.depth));
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto known = anchors_.find(anchor);
  if (known == anchors_.end()) refuse(mark_of(mark), "this alias is part of what it stands for");
  count(known->second.nodes, mark_of(mark));
  check_depth(known->second.depth, mark_of(mark));
  count_copy(known->second);
  attach(known->second);
}

constexpr std::string_view kStandardTags = "tag:yaml.org,2002:";

// Tags of the standard's own lists, maps and texts say what is seen anyway.
bool is_standard(std::string_view tag, std::string_view name) {
  return tag.starts_with(kStandardTags) && tag.substr(kStandardTags.size()) == name;
}

void Builder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       const std::string& value) {
  const bool plain = tag == "?" || tag.empty();
  if (!plain && tag != "!" && !is_standard(tag, "str"))
    refuse(mark_of(mark), "the tag " + quoted(tag) + " means nothing here; leave it out");
  count(1, mark_of(mark));
  Counted counted{.node = node_at(Kind::kScalar, mark_of(mark)), .bytes = value.size()};
  counted.node.plain = plain;
  counted.node.text = value;
  finish(std::move(counted), anchor);
}

void Builder::open(Kind kind, Mark mark, const std::string& tag, YAML::anchor_t anchor) {
  const std::string_view own = kind == Kind::kMap ? "map" : "seq";
  if (!tag.empty() && tag != "?" && tag != "!" && !is_standard(tag, own))
    refuse(mark, "the tag " + quoted(tag) + " means nothing here; leave it out");
  count(1, mark);
  check_depth(1, mark);
  open_.push_back({.counted = {.node = node_at(kind, mark), .depth = 1}, .anchor = anchor});
}

void Builder::close() {
  Open closed = std::move(open_.back());
  open_.pop_back();
  finish(std::move(closed.counted), closed.anchor);
}

void Builder::finish(Counted counted, YAML::anchor_t anchor) {
  if (anchor != YAML::NullAnchor) {
    count_copy(counted);
    anchors_.insert_or_assign(anchor, counted);
  }
  attach(std::move(counted));
}

void Builder::attach(Counted counted) {
  if (open_.empty()) return attach_document(std::move(counted.node));
  Open& parent = open_.back();
  parent.counted.nodes += counted.nodes;
  parent.counted.bytes += counted.bytes;
  parent.counted.depth = std::max(parent.counted.depth, counted.depth + 1);
  if (parent.counted.node.is_list()) {
    parent.counted.node.items.push_back(std::move(counted.node));
  } else if (!parent.key) {
    attach_key(parent, std::move(counted.node));
  } else {
    parent.counted.node.entries.push_back({*std::move(parent.key), std::move(counted.node)});
    parent.key.reset();
  }
}

void Builder::attach_document(Node document) {
  if (!document.is_null()) documents_.push_back(std::move(document));
}

void Builder::attach_key(Open& map, Node key) {
  if (!key.is_scalar()) refuse(key.mark, "expected a key, found " + describe(key));
  if (key.plain && key.text == "<<")
    refuse(key.mark, "\"<<\" does not merge here; write the keys out, or alias the whole map");
  const auto [before, is_new] = map.keys.emplace(key.text, key.mark.line);
  if (!is_new)
    refuse(key.mark, quoted(key.text) + " is a key of this map on line " +
                         std::to_string(before->second) + " already");
  map.key = std::move(key);
}

// The bytes of the UTF-8 character at the front; 0 when there is none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                     (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return wrong ? 0 : size;
}

// The library would replace other bytes, and take one of them for the end of the text.
void check_characters(std::string_view text) {
  Mark mark;
  for (std::size_t size = 0; !text.empty(); text.remove_prefix(size)) {
    size = character(text);
    if (size == 0)
      refuse(mark, "expected UTF-8 without control characters, found the byte " +
                       quoted(text.substr(0, 1)));
    mark.column += size;
    if (text.front() == '\n') mark = {.line = mark.line + 1, .column = 1};
  }
}

// The library takes the end of the text for the end of a quote, but not the end of a document.
std::string with_end_of_document(std::string_view text) {
  const bool ended = text.empty() || text.ends_with('\n');
  return std::string{text} + (ended ? "...\n" : "\n...\n");
}

bool indented_by_tab(std::string_view text, std::size_t line) {
  for (std::size_t i = 1; i < line && !text.empty(); ++i)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t blanks = text.find_first_not_of(' ');
  return blanks != std::string_view::npos && text[blanks] == '\t';
}

// The library's word for what is wrong, where it names the place poorly in ours.
[[noreturn]] void refuse(const YAML::Exception& problem, const Builder& builder,
                         std::string_view text) {
  const Mark mark = mark_of(problem.mark);
  if (indented_by_tab(text, mark.line)) refuse(mark, "a tab indents this line; use blanks");
  if (problem.msg == YAML::ErrorMsg::DOC_IN_SCALAR)
    refuse(mark, "a quote is not closed before here");
  if (problem.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW)
    refuse(builder.innermost(mark), "this list is not closed by \"]\"");
  if (problem.msg == YAML::ErrorMsg::END_OF_MAP_FLOW)
    refuse(builder.innermost(mark), "this map is not closed by \"}\"");
  refuse(mark, "not YAML: " + problem.msg);
}

std::vector<Node> build(std::string_view text, const Bounds& bounds) {
  if (text.size() > bounds.bytes)
    refuse({}, "longer than " + std::to_string(bounds.bytes) + " bytes");
  check_characters(text);
  std::istringstream stream{with_end_of_document(text)};
  Builder builder{bounds};
  try {
    YAML::Parser parser{stream};
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& problem) {
    refuse(problem, builder, text);
  }
  return builder.take_documents();
}

Mark moved_by(Mark mark, Mark origin) {
  return {.line = mark.line + origin.line - 1, .column = mark.column + origin.column - 1};
}

void move_by(Node& node, Mark origin) {
  node.mark = moved_by(node.mark, origin);
  for (Node& item : node.items) move_by(item, origin);
  for (Entry& entry : node.entries) {
    move_by(entry.key, origin);
    move_by(entry.value, origin);
  }
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key.text == key) return &entry.value;
  return nullptr;
}

Expected<std::vector<Node>> read(std::string_view file, std::string_view text, const Bounds& bounds,
                                 Mark origin) {
  try {
    std::vector<Node> documents = build(text, bounds);
    for (Node& document : documents) move_by(document, origin);
    return documents;
  } catch (const Refusal& refusal) {
    return error(place(file, moved_by(refusal.mark, origin)), refusal.what);
  }
}

std::string place(std::string_view file, Mark mark) {
  return std::string{file} + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

std::string describe(const Node& node) {
  if (node.is_scalar()) return quoted(node.text);
  if (node.is_list()) return "a list";
  return node.is_map() ? "a map" : "nothing";
}

}  // namespace tidegate::yaml
