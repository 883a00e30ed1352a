// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ravel {
namespace {

TEST(Check, AConditionIsEvaluatedOnceInReleaseBuildsToo) {
  int evaluated = 0;
  RAVEL_CHECK(++evaluated == 1, "evaluated more than once");
  EXPECT_EQ(evaluated, 1);
}

TEST(CheckDeathTest, FailureNamesPlaceConditionAndMessageAndExitsWithInternalError) {
  EXPECT_EXIT(RAVEL_CHECK(1 + 1 == 3, "arithmetic is broken"), ::testing::ExitedWithCode(kInternalErrorExit),
              "internal error at .*check_test.cpp:[0-9]+: arithmetic is broken \\(1 \\+ 1 == 3\\).*please report");
}

// The target's start-up installs a handler that saves the schedule first; the process must still end.
TEST(CheckDeathTest, HandlerRunsFirstAndCannotContinueTheFailedCode) {
  const auto handler = [](const char*, int, const char*, const char* message) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message, 6);
  };
  EXPECT_EXIT(
      {
        set_check_handler(handler);
        check_failed("x.cpp", 7, "false", "saved!");
      },
      ::testing::ExitedWithCode(kInternalErrorExit), "saved!ravel: internal error at x.cpp:7: saved!");
}

TEST(CheckDeathTest, HandlerMayEndTheProcessItsOwnWay) {
  const auto handler = [](const char*, int, const char*, const char*) { ::_exit(42); };
  EXPECT_EXIT(
      {
        set_check_handler(handler);
        check_failed("x.cpp", 7, "false", "message");
      },
      ::testing::ExitedWithCode(42), "^$");
}

}  // namespace
}  // namespace ravel
