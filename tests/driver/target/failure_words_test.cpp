// SPDX-License-Identifier: Apache-2.0
#include "driver/target/failure_words.h"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>

namespace ravel {
namespace {

TEST(AbortReasonTest, AssertionsOfGlibc) {
  const AbortReason reason = abort_reason(
      "starting\nbank: src/bank.cpp:12: void Bank::pay(int): Assertion `balance >= 0 && \"no: `debt'\"' failed.\n");
  EXPECT_EQ(reason.kind, FindingKind::assertion);
  EXPECT_EQ(reason.message,
            "assertion `balance >= 0 && \"no: `debt'\"` failed at src/bank.cpp:12 in void Bank::pay(int)");
}

TEST(AbortReasonTest, TheLatestWordsCount) {
  const AbortReason reason = abort_reason("p: a.c:1: f: Assertion `one' failed.\np: a.c:2: g: Assertion `two' failed.");
  EXPECT_EQ(reason.message, "assertion `two` failed at a.c:2 in g");
}

TEST(AbortReasonTest, Exceptions) {
  const AbortReason reason =
      abort_reason("terminate called after throwing an instance of 'std::runtime_error'\n  what():  closed\n");
  EXPECT_EQ(reason.kind, FindingKind::uncaught_exception);
  EXPECT_EQ(reason.message, "an exception of type std::runtime_error was not caught");
  EXPECT_EQ(abort_reason("terminate called without an active exception\n").message, "std::terminate was called");
}

TEST(AbortReasonTest, NothingIsMadeUp) {
  EXPECT_EQ(abort_reason(""), (AbortReason{FindingKind::abort, "the program called abort"}));
  EXPECT_EQ(abort_reason(": Assertion `").kind, FindingKind::abort);
}

TEST(FailureOfStatusTest, ExitCodesAndSignals) {
  EXPECT_FALSE(failure_of_status(0, "").has_value());
  const auto code = failure_of_status(3 << 8, "");
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(code->kind, FindingKind::exit_code);
  EXPECT_STREQ(code->message, "the program ended with exit code 3");
  const auto crash = failure_of_status(SIGSEGV, "");
  ASSERT_TRUE(crash.has_value());
  EXPECT_EQ(crash->kind, FindingKind::signal);
  EXPECT_EQ(crash->signal_number, SIGSEGV);
}

TEST(FirstDifferenceTest, NamesTheLine) {
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nx\nc\n"), "the outputs differ in line 2: expected 'b', got 'x'");
  EXPECT_EQ(first_difference("a\nb\n", "a\n"), "the output ends in line 2, where 'b' should follow");
  EXPECT_EQ(first_difference("a\n", "a\nb\n"), "the output continues in line 2, where it should end: 'b'");
}

}  // namespace
}  // namespace ravel
