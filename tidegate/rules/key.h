// Keys of takes: `api|user=42|path=/x`. Two lists of entries never have the same one.
//
// `\` stands before what would otherwise read as structure: `\` and `|` anywhere, `=` and `~` in a
// descriptor's key. A part `files~a/*` is shared by all values that match, and
// `api|=60000000us|...` is of a limit that a request brought. Pure functions that append to a
// string.
#pragma once

#include <string>
#include <string_view>

#include "tidegate/base/time.h"
#include "tidegate/rules/descriptor.h"

namespace tidegate::rules {

void append_domain(std::string& text, std::string_view domain);
void append_part(std::string& text, const DescriptorEntry& entry);
void append_shared_part(std::string& text, std::string_view key, std::string_view pattern);
void append_any_part(std::string& text, std::string_view key);  // in paths of rules
void append_brought_limit(std::string& text, Duration period);

}  // namespace tidegate::rules
