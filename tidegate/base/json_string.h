// Outside bytes as a JSON string.
//
// Pure; appends to a string, so that it costs no allocation once that has grown.
#pragma once

#include <string>
#include <string_view>

namespace tidegate {

// In its quotes. UTF-8 stays as it is; a byte that belongs to no UTF-8 sequence becomes \u00XX, an
// escape that no character is given, control characters apart.
void append_json_string(std::string& text, std::string_view bytes);

}  // namespace tidegate
