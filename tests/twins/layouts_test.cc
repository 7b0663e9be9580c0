// The layouts that services already write: the decisions, and taking over keys in mid-window.
#include <gtest/gtest.h>

#include "tests/twins/twin_scene.h"

namespace tidegate::test {
namespace {

constexpr Duration kMillisecond = std::chrono::milliseconds{1};

class Layout : public TwinScene, public ::testing::WithParamInterface<const char*> {};

TEST_P(Layout, Answers_every_call_as_sliding_window_does) {
  expect_equal_answers({.kinds = {{Algorithm::kSlidingWindow}},
                        .layout = GetParam(),
                        .tick = kMillisecond,
                        .most_tokens = 100});
}

INSTANTIATE_TEST_SUITE_P(Every, Layout, ::testing::Values("zset", "list"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tidegate::test
