// The figures of a page: each an SVG and the table that says the same in numbers.
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "tidegate/replay/report.h"

namespace tidegate::replay {

struct Figure {
  std::string title;    // what it shows, as a finding
  std::string caption;  // how to read it
  std::string drawing;  // SVG
  std::string table;    // HTML
};

// A table of HTML; the first column to the left, the others to the right. Cells are escaped.
std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows);

Figure limits_figure(const Report& report);
Figure time_figure(const Report& report, const Outcome& outcome);
Figure keys_figure(const Report& report, const Outcome& outcome);
Figure demand_figure(const Report& report);
Figure choices_figure(const Report& report);

}  // namespace tidegate::replay
