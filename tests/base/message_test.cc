// Texts for people: quoted input and errors.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/random.h"
#include "tidegate/base/expected.h"
#include "tidegate/base/quote.h"

namespace tidegate {
namespace {

using namespace std::literals;

TEST(Quoted, Shows_a_plain_text_in_quotes) {
  EXPECT_EQ(tidegate::quoted("5/60s"), R"("5/60s")");
  EXPECT_EQ(tidegate::quoted(""), R"("")");
}

TEST(Quoted, Escapes_what_would_end_it_or_break_the_line) {
  EXPECT_EQ(tidegate::quoted("a\"b"), R"("a\"b")");
  EXPECT_EQ(tidegate::quoted("a\\b"), R"("a\\b")");
  EXPECT_EQ(tidegate::quoted("a\nb\tc"), R"("a\x0ab\x09c")");
  EXPECT_EQ(tidegate::quoted("\0\x7f\xff"sv), R"("\x00\x7f\xff")");
}

TEST(Quoted, Cuts_a_long_text_and_says_so) {
  EXPECT_EQ(tidegate::quoted(std::string(80, 'x')), '"' + std::string(80, 'x') + '"');
  EXPECT_EQ(tidegate::quoted(std::string(81, 'x')), '"' + std::string(80, 'x') + "...\"");
}

TEST(Quoted, Is_one_line_of_printable_ascii_whatever_the_text) {
  test::for_each_trace(300, [](test::Random& random) {
    std::string text;
    for (std::int64_t i = random.between(0, 120); i > 0; --i)
      text += static_cast<char>(random.between(0, 255));
    const std::string shown = tidegate::quoted(text);
    EXPECT_LE(shown.size(), 4 * kQuotedBytes + 5);
    for (const char c : shown) ASSERT_TRUE(c >= 0x20 && c < 0x7f);
  });
}

TEST(Error, Says_where_and_what) {
  const Expected<int> failed = error("limit \"5/6x\", column 4", "expected a unit");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(), "limit \"5/6x\", column 4: expected a unit");
  EXPECT_EQ(failed.error(), (Error{"limit \"5/6x\", column 4", "expected a unit"}));
}

}  // namespace
}  // namespace tidegate
