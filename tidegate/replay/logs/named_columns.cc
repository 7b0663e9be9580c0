#include "tidegate/replay/logs/named_columns.h"

#include <algorithm>

#include "tidegate/base/quote.h"

namespace tidegate::replay {

Expected<std::vector<NamedColumn>> read_named_columns(std::string_view text) {
  std::vector<NamedColumn> columns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end);
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == item.size())
      return error("--fields " + quoted(item), "expected name=place, as in time=.ts,client=.ip");
    columns.push_back({std::string{item.substr(0, equals)}, std::string{item.substr(equals + 1)}});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return columns;
}

}  // namespace tidegate::replay
