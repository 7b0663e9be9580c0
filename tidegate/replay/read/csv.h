// Comma-separated values whose first line names the columns; the separator may be ; or a tab.
//
// A value may be in quotes, with quotes in it written twice; it may not hold a line's end. Pure.
// Cost: a look at each byte.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

// `columns_of` says which column is which field: {"client", "Source IP"}. What it leaves out is
// told by the usual names.
Expected<Form> csv_form(std::string_view header,
                        const std::vector<std::pair<std::string, std::string>>& columns_of);

}  // namespace tidegate::replay
