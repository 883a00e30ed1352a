// SPDX-License-Identifier: Apache-2.0
//
// The part of <ravel/explore.h> for GoogleTest. Include that one, after <gtest/gtest.h>.
#ifndef RAVEL_EXPLORE_GTEST_H
#define RAVEL_EXPLORE_GTEST_H

#include <ravel/explore.h>

#if defined(GTEST_TEST)  // nothing without the framework

namespace ravel {
namespace exploring {

class GoogleTestListener : public ::testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    assertion_failed(result.message(), result.file_name(), static_cast<std::size_t>(result.line_number()));
  }
};

struct GoogleTest {
  static std::string case_name() {
    const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    return test == nullptr ? std::string() : std::string(test->test_suite_name()) + "." + test->name();
  }
  static std::vector<std::string> only_case(std::vector<std::string> arguments) {
    const std::string name = case_name();
    if (!name.empty()) arguments.push_back("--gtest_filter=" + name);
    return arguments;
  }
  template <typename Body>
  static void run_body(Body& body) {
    ::testing::UnitTest::GetInstance()->listeners().Append(new GoogleTestListener);
    exploring::run_body(body);
  }
};

}  // namespace exploring

inline namespace with_gtest {
RAVEL_EXPLORE_WITH_(exploring::GoogleTest)
}  // namespace with_gtest
}  // namespace ravel

#define RAVEL_EXPLORED_CASE_(body)                              \
  const ::ravel::ExploreResult result = ::ravel::explore(body); \
  if (!result) ADD_FAILURE() << result.message

// TEST(Suite, Name) whose body is explored.
#define RAVEL_TEST(Suite, Name)                                                  \
  static void ravel_body_##Suite##_##Name();                                     \
  GTEST_TEST(Suite, Name) { RAVEL_EXPLORED_CASE_(ravel_body_##Suite##_##Name); } \
  static void ravel_body_##Suite##_##Name()

// TEST_F(Fixture, Name) whose body is explored. SetUp comes before the exploration: each execution begins after it.
#define RAVEL_TEST_F(Fixture, Name)                                                                         \
  class RavelExplored_##Fixture##_##Name : public Fixture {                                                 \
   protected:                                                                                               \
    void explored();                                                                                        \
  };                                                                                                        \
  GTEST_TEST_(Fixture, Name, RavelExplored_##Fixture##_##Name, ::testing::internal::GetTypeId<Fixture>()) { \
    RAVEL_EXPLORED_CASE_([this] { this->explored(); });                                                     \
  }                                                                                                         \
  void RavelExplored_##Fixture##_##Name::explored()

#endif  // GTEST_TEST
#endif  // RAVEL_EXPLORE_GTEST_H
