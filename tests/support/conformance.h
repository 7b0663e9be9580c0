// The conformance suite: what every store must answer, written against the Store interface alone.
//
// A store joins by one line in one source file of its test program:
//
//   TIDEGATE_STORE_CONFORMS(Memory, [] { return std::make_unique<MemoryHarness>(); });
//
// where MemoryHarness is a StoreHarness (store_harness.h): the store, its clock, its tick. Denials
// are tried one tick before retry_after and at it.
// Cost: some hundred short tests, below a second for a store in memory.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/support/store_keys.h"
#include "tests/support/store_laws.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_requests.h"

namespace tidegate::test {

inline std::string law_name(const ::testing::TestParamInfo<StoreLaw::ParamType>& info) {
  return std::get<1>(info.param).name;
}

inline std::string store_name(const ::testing::TestParamInfo<StoreCase>& info) {
  return info.param.name;
}

}  // namespace tidegate::test

#define TIDEGATE_STORE_CONFORMS(name, ...)                                                     \
  INSTANTIATE_TEST_SUITE_P(                                                                    \
      name, StoreLaw,                                                                          \
      ::testing::Combine(::testing::Values(::tidegate::test::StoreCase{#name, __VA_ARGS__}),   \
                         ::testing::ValuesIn(::tidegate::test::limit_cases())),                \
      ::tidegate::test::law_name);                                                             \
  INSTANTIATE_TEST_SUITE_P(name, StoreRequest,                                                 \
                           ::testing::Values(::tidegate::test::StoreCase{#name, __VA_ARGS__}), \
                           ::tidegate::test::store_name);                                      \
  INSTANTIATE_TEST_SUITE_P(name, StoreKey,                                                     \
                           ::testing::Values(::tidegate::test::StoreCase{#name, __VA_ARGS__}), \
                           ::tidegate::test::store_name)
