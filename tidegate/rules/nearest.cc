#include "tidegate/rules/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "tidegate/algorithm/limit_grammar.h"

namespace tidegate::rules {
namespace {

char plain(char c) {
  return c == '-' ? '_' : grammar::lower(c);
}

// Edits that make one word of the other; the rows of the table are those of three prefixes of `a`.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = plain(a[i - 1]) == plain(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) &&
          plain(a[i - 2]) == plain(b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t fewest = word.size() + 1;
  for (const std::string_view candidate : known) {
    if (word.size() > candidate.size() + candidate.size() / 2) continue;
    const bool cut_short = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t needed = cut_short ? 1 : edits(word, candidate);
    if (needed * 3 > candidate.size() || needed >= fewest) continue;
    fewest = needed;
    best = candidate;
  }
  return best;
}

std::string expected_one_of(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view meant = nearest(word, known);
  if (!meant.empty()) return "did you mean " + std::string{meant} + "?";
  std::string text = "expected one of";
  for (const std::string_view one : known) {
    text += one == known.front() ? " " : ", ";
    text += one;
  }
  return text;
}

}  // namespace tidegate::rules
