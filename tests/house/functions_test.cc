#include "tests/house/functions.h"

#include <gtest/gtest.h>

namespace tidegate::house {
namespace {

using Functions = std::vector<Function>;

TEST(Code, Has_no_comments_literals_or_directives) {
  EXPECT_EQ(code_alone("a // { \nb"), "a      \nb");
  EXPECT_EQ(code_alone("a /* {\n */ b"), "a     \n    b");
  EXPECT_EQ(code_alone(R"(f("{\"", '{', '\''))"), "f(     ,    ,     )");
  EXPECT_EQ(code_alone("R\"x(\n{)x\";"), "    \n    ;");
  EXPECT_EQ(code_alone("#define A {\\\n  {\n1'000'000 + 'a'"),
            "            \n   \n1'000'000 +    ");
}

TEST(Functions, Are_counted_from_declaration_to_closing_brace) {
  EXPECT_EQ(functions_of("int f() { return 1; }\n\nint g(\n    int a) {\n  return a;\n}\n"),
            (Functions{{1, 1}, {3, 4}}));
}

TEST(Functions, Are_found_in_namespaces_and_types) {
  EXPECT_EQ(functions_of("namespace a {\nclass B final : public C {\n public:\n  int f() const {\n"
                         "  }\n  struct D { int x() { return 1; } };\n};\n}\n"),
            (Functions{{4, 2}, {6, 1}}));
}

TEST(Functions, Take_in_their_lambdas_and_blocks) {
  EXPECT_EQ(
      functions_of("void f() {\n  auto g = [] {\n    if (x) { y(); }\n  };\n}\nvoid h() {}\n"),
      (Functions{{1, 5}, {6, 1}}));
}

TEST(Functions, With_initializers_in_braces_end_with_their_body) {
  EXPECT_EQ(functions_of("struct A {\n  A(int b)\n      : b_{b},\n        c_{1} {\n    d();\n  }\n"
                         "  int b_{2};\n};\n"),
            (Functions{{2, 5}}));
}

TEST(Functions, May_be_templates_with_defaults_operators_and_tests) {
  EXPECT_EQ(functions_of("template <class T = std::vector<int>>\nvoid f(T t = {}) {\n}\n"
                         "bool operator==(A, B) {\n}\nTEST(A, B) {\n}\n"),
            (Functions{{1, 3}, {4, 2}, {6, 2}}));
}

TEST(Functions, Are_not_types_values_or_enumerators) {
  EXPECT_EQ(functions_of("struct alignas(64) A { int b; };\nint c[] = {f(1), 2};\n"
                         "const auto d = g({1});\nenum class E : int { kF = (1) };\n"),
            Functions{});
}

}  // namespace
}  // namespace tidegate::house
