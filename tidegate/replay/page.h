// A replay's report as one page: figures as SVG, a table under each, no script and nothing from the
// network. For light and dark.
//
// Pure. Keys and names are outside bytes; all are escaped.
#pragma once

#include <string>

#include "tidegate/replay/report.h"

namespace tidegate::replay {

std::string as_page(const Report& report);

}  // namespace tidegate::replay
