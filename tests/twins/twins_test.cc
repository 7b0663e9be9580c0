// The twins against the functions they mirror: random traces, every field of every decision. A
// million decisions of each: TIDEGATE_TRACES=250.
#include <gtest/gtest.h>

#include <iterator>

#include "tests/support/limits.h"
#include "tests/twins/twin_scene.h"

namespace tidegate::test {
namespace {

class Twin : public TwinScene, public ::testing::WithParamInterface<Kind> {};

TEST_P(Twin, Answers_every_call_as_the_algorithm_does) {
  expect_equal_answers({.kinds = {GetParam()}});
}

INSTANTIATE_TEST_SUITE_P(Every, Twin, ::testing::ValuesIn(kKinds), name_of_param);

using Twins = TwinScene;

TEST_F(Twins, Answer_requests_over_all_algorithms_as_the_reference_store_does) {
  expect_equal_answers({.kinds = {std::begin(kKinds), std::end(kKinds)}});
}

}  // namespace
}  // namespace tidegate::test
