#include "tidegate/replay/condition.h"

#include <charconv>
#include <compare>

#include "tidegate/base/quote.h"

namespace tidegate::replay {
namespace {

using Op = Condition::Op;

struct Sign {
  std::string_view text;
  Op op;
};
// Longer ones first: != is not = after a !.
constexpr Sign kSigns[] = {{"!=", Op::kNot},   {"<=", Op::kLessOrEqual}, {">=", Op::kMoreOrEqual},
                           {"==", Op::kEqual}, {"=", Op::kEqual},        {"<", Op::kLess},
                           {">", Op::kMore},   {"~", Op::kContains}};

std::optional<double> read_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return number;
}

bool holds_for(Op op, std::partial_ordering order) {
  switch (op) {
    case Op::kEqual:
      return order == 0;
    case Op::kNot:
      return order != 0;
    case Op::kLess:
      return order < 0;
    case Op::kLessOrEqual:
      return order <= 0;
    case Op::kMore:
      return order > 0;
    case Op::kMoreOrEqual:
      return order >= 0;
    case Op::kContains:
      break;
  }
  return false;
}

}  // namespace

Expected<Condition> Condition::parse(std::string_view text) {
  const std::size_t at = text.find_first_of("!<>=~");
  if (at != 0 && at != std::string_view::npos)
    for (const Sign& sign : kSigns)
      if (text.substr(at).starts_with(sign.text)) {
        std::string value{text.substr(at + sign.text.size())};
        const std::optional<double> number = read_number(value);
        return Condition{std::string{text.substr(0, at)}, sign.op, std::move(value), number};
      }
  return error("--where " + quoted(text),
               "expected a field, one of = != < <= > >= ~ and a value, as in status!=429");
}

bool Condition::holds(std::string_view value_of_line) const {
  if (op == Op::kContains) return value_of_line.find(value) != std::string_view::npos;
  const std::optional<double> theirs = number ? read_number(value_of_line) : std::nullopt;
  return holds_for(op, theirs ? *theirs <=> *number
                              : std::partial_ordering{value_of_line <=> std::string_view{value}});
}

}  // namespace tidegate::replay
