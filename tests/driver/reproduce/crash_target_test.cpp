// SPDX-License-Identifier: Apache-2.0
// What counts as the same crash.
#include "driver/reproduce/crash_target.h"

#include <gtest/gtest.h>

#include "driver/crash/stack_text.h"

namespace ravel {
namespace {

constexpr const char* kCrash =
    "Thread 2 \"app\" received signal SIGSEGV, Segmentation fault.\n"
    "#0  0x0000555555559b8a in std::vector<int>::size (this=0x0) at /usr/include/c++/12/bits/stl_vector.h:988\n"
    "#1  0x0000555555557bd8 in app::Logger::log (this=0x7fff, level=1) at ./logger.cpp:46\n"
    "#2  0x0000555555557bd8 in app::Logger::info (this=0x7fff) at ./logger.cpp:18\n"
    "#3  0x000055555555ea31 in main () at ./main.cpp:11\n";

CrashTarget target() {
  const auto report = parse_crash_text(kCrash, "crash.txt");
  EXPECT_TRUE(report.is_ok());
  return target_of(report.value(), infer_class(report.value()));
}

ResolvedFinding finding(FindingKind kind, std::uint32_t line) {
  ResolvedFinding result;
  result.kind = kind;
  ResolvedStack stack;
  const auto frame = [](const char* function, const char* file, std::uint32_t at) {
    return Frame{function, file, at, 0, "app", 0, false};
  };
  stack.whole = {frame("std::vector<int>::operator[](unsigned long)", "/usr/include/c++/12/bits/stl_vector.h", 7),
                 frame("app::Logger::log(int)", "/src/logger.cpp", line),
                 frame("app::Logger::info(std::string const&)", "/src/logger.cpp", 18),
                 frame("ravel_call_3(int const*)", "harness.cpp", 4)};
  result.stacks = {stack};
  return result;
}

TEST(CrashTarget, EndsAtTheCrashingMethod) {
  const CrashTarget crash = target();
  ASSERT_EQ(crash.places.size(), 2U);
  EXPECT_EQ(crash.places[0].function, "app::Logger::log");
  EXPECT_EQ(crash.places[0].line, 46U);
  EXPECT_EQ(crash.places[1].function, "app::Logger::info");
  EXPECT_FALSE(crash.fails_by_itself());
}

TEST(CrashTarget, MatchesStacksWithoutLibraryFrames) {
  EXPECT_EQ(target().match(finding(FindingKind::signal, 46)), StackMatch::exact);
  EXPECT_EQ(target().match(finding(FindingKind::signal, 47)), StackMatch::functions);
  ResolvedFinding other = finding(FindingKind::signal, 46);
  other.stacks[0].whole.erase(other.stacks[0].whole.begin() + 1);
  EXPECT_EQ(target().match(other), StackMatch::none);
}

TEST(CrashTarget, MatchesAnyInvalidAccess) {
  EXPECT_EQ(target().match(finding(FindingKind::use_after_free, 46)), StackMatch::exact);
  EXPECT_EQ(target().match(finding(FindingKind::assertion, 46)), StackMatch::none);
  EXPECT_EQ(target().match(finding(FindingKind::data_race, 46)), StackMatch::none);
}

TEST(CrashTarget, TakesAnAbortForWhatMayBeBehindIt) {
  CrashTarget crash = target();
  crash.failure = {FindingKind::signal, "", "SIGABRT", ""};
  EXPECT_TRUE(crash.fails_by_itself());
  for (const FindingKind kind : {FindingKind::assertion, FindingKind::uncaught_exception, FindingKind::double_free}) {
    EXPECT_TRUE(crash.is_same_sort(finding(kind, 46))) << finding_name(kind);
  }
  EXPECT_FALSE(crash.is_same_sort(finding(FindingKind::deadlock, 46)));
}

constexpr const char* kHanging =
    "Thread 2 (Thread 0x7f01 (LWP 2)):\n"
    "#0  0x0001 in std::mutex::lock (this=0x7ffd) at /usr/include/c++/12/bits/std_mutex.h:100\n"
    "#1  0x0002 in Bank::note (this=0x7ffd) at ./bank.h:44\n"
    "#2  0x0003 in Bank::deposit (this=0x7ffd, account=1, amount=5) at ./bank.h:22\n"
    "#3  0x0004 in work () at ./main.cpp:5\n"
    "\n"
    "Thread 1 (Thread 0x7f02 (LWP 1)):\n"
    "#0  0x0005 in std::mutex::lock (this=0x7ffd) at /usr/include/c++/12/bits/std_mutex.h:100\n"
    "#1  0x0006 in Bank::total (this=0x7ffd) at ./bank.h:49\n"
    "#2  0x0007 in Bank::report (this=0x7ffd) at ./bank.h:34\n"
    "#3  0x0008 in main () at ./main.cpp:6\n";

TEST(CrashTarget, OfADeadlockHasBothStacks) {
  const auto report = parse_crash_text(kHanging, "crash.txt");
  ASSERT_TRUE(report.is_ok());
  const auto crash = deadlock_target_of(report.value(), infer_class(report.value()));
  ASSERT_TRUE(crash.is_ok()) << crash.status().what();
  EXPECT_TRUE(crash.value().is_deadlock());
  EXPECT_EQ(crash.value().places.back().function, "Bank::deposit");
  EXPECT_EQ(crash.value().other_places.back().function, "Bank::report");
  EXPECT_EQ(crash.value().from_other_side().places.front().line, 49U);
  // One stack alone is not that deadlock.
  ResolvedFinding finding_of_one;
  finding_of_one.kind = FindingKind::deadlock;
  ResolvedStack stack;
  stack.task = 1;
  stack.whole = {{"Bank::note()", "bank.h", 44, 0, "app", 0, false},
                 {"Bank::deposit(int, int)", "bank.h", 22, 0, "app", 0, false}};
  finding_of_one.stacks = {stack};
  EXPECT_EQ(crash.value().match(finding_of_one), StackMatch::none);
  stack.task = 2;
  stack.whole = {{"Bank::total()", "bank.h", 49, 0, "app", 0, false},
                 {"Bank::report()", "bank.h", 34, 0, "app", 0, false}};
  finding_of_one.stacks.push_back(stack);
  EXPECT_EQ(crash.value().match(finding_of_one), StackMatch::exact);
}

TEST(CrashTarget, CountsParametersThatTheReportShows) {
  const auto shown = [](const char* function, const char* arguments) {
    CrashFrame frame;
    set_function(frame, function);
    frame.arguments = arguments;
    return shown_parameters(frame);
  };
  EXPECT_EQ(shown("app::Reader::read()", ""), 0U);
  EXPECT_EQ(shown("app::Reader::read(char*, std::map<int, int> const&)", ""), 2U);
  EXPECT_EQ(shown("app::Reader::read", "this=0x7ffd, to=0x1, text=\"a, b\""), 2U);
  EXPECT_EQ(shown("app::Reader::read", "this=0x7ffd"), 0U);
  EXPECT_EQ(shown("app::Reader::read", ""), std::nullopt);
}

}  // namespace
}  // namespace ravel
