#include "tidegate/replay/svg.h"

#include <cmath>
#include <cstdio>

namespace tidegate::replay::svg {
namespace {

template <class... Numbers>
std::string printed(const char* format, Numbers... numbers) {
  char text[256];
  const int size = std::snprintf(text, sizeof text, format, numbers...);
  return {text, static_cast<std::size_t>(size)};
}

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// How many bytes of well-formed UTF-8 begin here; 0: none.
std::size_t sequence(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continues(text[i])) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                     (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace

// What is no text is shown as its code, \x1b.
std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    const char c = text.front();
    const auto byte = static_cast<unsigned char>(c);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      out += printed("\\x%02x", byte);
    } else if (const std::string_view named = entity(c); !named.empty()) {
      out += named;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

Drawing::Drawing(double width, double height, std::string title)
    : head_{printed("<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"", width, height) +
            escaped(title) + "\">\n"} {}

void Drawing::bar(const Box& box, std::string_view look, std::string_view hint) {
  body_ += printed("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"", box.x,
                   box.y, box.width, box.height);
  body_.append(look) += "\">";
  if (!hint.empty()) body_ += "<title>" + escaped(hint) + "</title>";
  body_ += "</rect>\n";
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view look) {
  body_ +=
      printed("<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" class=\"", x1, y1, x2, y2);
  body_.append(look) += "\"/>\n";
}

void Drawing::area(const std::vector<std::pair<double, double>>& outline, std::string_view look) {
  body_ += "<path d=\"";
  const char* move = "M";
  for (const auto& [x, y] : outline) {
    body_ += printed("%s%.1f %.1f", move, x, y);
    move = "L";
  }
  body_ += "Z\" class=\"";
  body_.append(look) += "\"/>\n";
}

void Drawing::text(double x, double y, std::string_view words, std::string_view anchor,
                   std::string_view look) {
  body_ += printed("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"", x, y);
  body_.append(anchor).append("\" class=\"").append(look) += "\">";
  body_ += escaped(words) + "</text>\n";
}

std::string Drawing::finish() const {
  return head_ + body_ + "</svg>\n";
}

std::vector<double> ticks(double most, int about) {
  if (!(most > 0)) return {0, 1};
  const double rough = most / about;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  step = std::max(step, 1.0);
  std::vector<double> all = {0};
  while (all.back() < most) all.push_back(all.back() + step);
  return all;
}

std::string short_number(double number) {
  if (number >= 1e9) return printed("%.3gG", number / 1e9);
  if (number >= 1e6) return printed("%.3gM", number / 1e6);
  if (number >= 1e4) return printed("%.3gk", number / 1e3);
  return printed("%.6g", number);
}

}  // namespace tidegate::replay::svg
