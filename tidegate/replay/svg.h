// The few shapes that the figures of a page are made of, and an axis with round numbers.
//
// Pure. Colours are classes that the page's style gives a meaning to, in light and in dark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::replay::svg {

std::string escaped(std::string_view text);  // outside bytes as text of HTML or XML

struct Box {
  double x;
  double y;
  double width;
  double height;
};

// A drawing that grows shape by shape. Units are those of its view box.
class Drawing {
 public:
  Drawing(double width, double height, std::string title);

  void bar(const Box& box, std::string_view look, std::string_view hint);
  void line(double x1, double y1, double x2, double y2, std::string_view look);
  void area(const std::vector<std::pair<double, double>>& outline, std::string_view look);
  // Anchors: start, middle, end.
  void text(double x, double y, std::string_view words, std::string_view anchor,
            std::string_view look = "label");

  std::string finish() const;

 private:
  std::string head_;
  std::string body_;
};

// Round numbers from 0 up to the first that is not below `most`; about `about` of them.
std::vector<double> ticks(double most, int about);

// 1200 as 1.2k, 3400000 as 3.4M.
std::string short_number(double number);

}  // namespace tidegate::replay::svg
