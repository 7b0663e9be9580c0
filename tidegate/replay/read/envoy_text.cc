#include "tidegate/replay/read/envoy_text.h"

#include "tidegate/replay/read/quotes.h"
#include "tidegate/replay/read/shape.h"
#include "tidegate/replay/read/standard_fields.h"

namespace tidegate::replay {
namespace {

Problem split_text(std::string_view text, std::span<std::string_view> columns) {
  const std::size_t close = text.find("] \"");
  if (close == std::string_view::npos) return "it is neither JSON nor Envoy's text";
  columns[kTime] = text.substr(1, close - 1);
  QuotedWords words{text.substr(close + 2)};
  columns[kTarget] = words.next_request();
  columns[kMethod] = shaped(Shape::kRequestMethod, columns[kTarget]);
  columns[kProtocol] = shaped(Shape::kProtocol, columns[kTarget]);
  columns[kStatus] = words.next();
  words.next();  // response flags
  words.next();  // bytes received
  columns[kBytes] = words.next();
  words.next();  // duration
  words.next();  // the upstream's part of it
  columns[kForwarded] = columns[kClient] = words.next();
  columns[kAgent] = words.next();
  words.next();  // request id
  columns[kHost] = words.next();
  return nullptr;
}

}  // namespace

Problem EnvoySplitter::split(std::string_view line, std::span<std::string_view> columns) {
  const std::string_view text = without_cri_prefix(line);
  if (!text.starts_with('[')) return JsonSplitter::split(text, columns);
  clear(columns);
  return split_text(text, columns);
}

}  // namespace tidegate::replay
