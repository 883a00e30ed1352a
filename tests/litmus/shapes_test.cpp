// SPDX-License-Identifier: Apache-2.0
// Holds the oracle against the verdicts that shapes.cpp derives by hand, shape by shape.
#include "tests/litmus/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/litmus/model.h"

namespace ravel::litmus {
namespace {

bool any_about(const Shape& shape, const Outcomes& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& found) { return shape.is_about(found); });
}

TEST(Shapes, AreManyAndNamedApart) {
  std::set<std::string> names;
  for (const Shape& shape : shapes()) EXPECT_TRUE(names.insert(shape.name).second) << shape.name << " twice";
  EXPECT_GE(names.size(), 48U);
}

TEST(Shapes, AreWellFormed) {
  for (const Shape& shape : shapes()) EXPECT_EQ(why_malformed(shape.program), std::nullopt) << shape.name;
}

TEST(Shapes, OracleAgreesWithEachDerivation) {
  for (const Shape& shape : shapes()) {
    const Verdict verdict = judge(shape.program);
    EXPECT_EQ(any_about(shape, verdict.allowed), shape.says != Says::forbidden) << shape.name;
    EXPECT_EQ(any_about(shape, verdict.engine), shape.says == Says::allowed) << shape.name;
  }
}

// The exceptions of docs/guarantees.md are these and no others: everywhere else Ravel shows all that C++20 allows.
TEST(Shapes, OnlyTheNamedExceptionsAreLeftOut) {
  for (const Shape& shape : shapes()) {
    const Verdict verdict = judge(shape.program);
    EXPECT_EQ(verdict.engine != verdict.allowed, shape.says == Says::not_shown) << shape.name;
  }
}

TEST(Shapes, EachModelContainsTheStrongerOnes) {
  for (const Shape& shape : shapes()) {
    const Verdict verdict = judge(shape.program);
    EXPECT_FALSE(verdict.interleavings.empty()) << shape.name;
    EXPECT_TRUE(std::ranges::includes(verdict.engine, verdict.interleavings)) << shape.name;
    EXPECT_TRUE(std::ranges::includes(verdict.allowed, verdict.engine)) << shape.name;
  }
}

}  // namespace
}  // namespace ravel::litmus
