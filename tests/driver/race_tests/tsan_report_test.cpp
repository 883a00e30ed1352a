// SPDX-License-Identifier: Apache-2.0
// Reports of ThreadSanitizer, as g++ 12's and clang 14's wrote them; inner frames of the library are left out.
#include "driver/race_tests/tsan_report.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

constexpr const char* kGcc = R"(***** Running under ThreadSanitizer v2 (pid 11100) *****
==================
WARNING: ThreadSanitizer: data race (pid=11100)
  Write of size 4 at 0x7fffffffe610 by thread T1 (mutexes: write M9):
    #0 List::add(int) /home/user/my list/list.cpp:6 (tsan_prog+0x2484)
    #1 operator() /home/user/my list/main.cpp:7 (tsan_prog+0x24f0)
    #2 __invoke_impl<void, main()::<lambda()> > /usr/include/c++/12/bits/invoke.h:61 (tsan_prog+0x308a)
    #7 <null> <null> (libstdc++.so.6+0xd44a2)

  Previous read of size 4 at 0x7fffffffe610 by thread T2:
    #0 List::is_empty() const /home/user/my list/list.h:6 (tsan_prog+0x32ae)
    #1 operator() /home/user/my list/main.cpp:9 (tsan_prog+0x255f)

  Location is stack of main thread.

  Location is global '<null>' at 0x000000000000 ([stack]+0x20610)

  Mutex M9 (0x7b1000000000) created at:
    #0 pthread_mutex_lock <null> (libtsan.so.2+0x5e686)

  Thread T1 (tid=11102, running) created by main thread at:
    #0 pthread_create ../../../../src/libsanitizer/tsan/tsan_interceptors_posix.cpp:1001 (libtsan.so.2+0x5e686)
    #2 main /home/user/my list/main.cpp:7 (tsan_prog+0x25f9)

SUMMARY: ThreadSanitizer: data race /home/user/my list/list.cpp:6 in List::add(int)
==================
ThreadSanitizer: reported 1 warnings
)";

constexpr const char* kClang = R"(==================
WARNING: ThreadSanitizer: data race (pid=22680)
  Atomic write of size 4 at 0x7fffffffe638 by thread T1:
    #0 List::add(int) /home/user/list.cpp:6:3 (clang_prog+0xd43f7) (BuildId: aa99f04558f57c4680c9c5fcd37cd5be520f54ea)
    #1 main::$_0::operator()() const /home/user/main.cpp:7:31 (clang_prog+0xd4c3a) (BuildId: aa99f04558f57c46)

  Previous read of size 4 at 0x7fffffffe638 by main thread:
    #0 List::is_empty() const /home/user/./list.h:6:12 (clang_prog+0xd5a4d) (BuildId: aa99f04558f57c46)

  As if synchronized via sleep:
    #0 nanosleep <null> (clang_prog+0x5340d) (BuildId: aa99f04558f57c46)

SUMMARY: ThreadSanitizer: data race /home/user/list.cpp:6:3 in List::add(int)
==================
)";

constexpr const char* kOthers = R"(==================
WARNING: ThreadSanitizer: heap-use-after-free (pid=22628)
  Write of size 4 at 0x7b0400000000 by thread T2:
    #0 operator() /home/user/uaf.cpp:5 (uaf+0x12c4)

  Previous write of size 8 at 0x7b0400000000 by thread T1:
    [failed to restore the stack]

SUMMARY: ThreadSanitizer: heap-use-after-free /home/user/uaf.cpp:5 in operator()
==================
==================
WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=22628)
  Cycle in lock order graph: M9 (0x5555555590e0) => M10 (0x555555559120) => M9

  Mutex M10 acquired here while holding mutex M9 in main thread:
    #0 pthread_mutex_lock <null> (libtsan.so.2+0x558e1)
    #4 main /home/user/uaf.cpp:6 (uaf+0x1355)

SUMMARY: ThreadSanitizer: lock-order-inversion (potential deadlock) /usr/include/gthr-default.h:749 in f
==================
WARNING: ThreadSanitizer: thread leak (pid=3)
  Thread T1 (tid=5, finished) created by main thread at:
    #0 pthread_create <null> (libtsan.so.2+0x5e686)

SUMMARY: ThreadSanitizer: thread leak
)";

TEST(TsanReport, BothAccessesOfARace) {
  const auto reports = parse_tsan_reports(kGcc);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].kind, FindingKind::data_race);
  EXPECT_EQ(reports[0].sentence,
            "ThreadSanitizer: data race: write of size 4 by thread T1 (mutexes: write M9), previous read of size 4 by "
            "thread T2");
  ASSERT_EQ(reports[0].stacks.size(), 2U);
  ASSERT_EQ(reports[0].stacks[0].size(), 4U);
  const Frame& first = reports[0].stacks[0][0];
  EXPECT_EQ(first.function, "List::add(int)");
  EXPECT_EQ(first.file, "/home/user/my list/list.cpp");
  EXPECT_EQ(first.line, 6U);
  EXPECT_EQ(first.module, "tsan_prog");
  EXPECT_EQ(reports[0].stacks[0][3].function, "??");
  EXPECT_EQ(reports[0].stacks[0][3].file, "");
  ASSERT_EQ(reports[0].stacks[1].size(), 2U) << "stacks of other things do not count";
  EXPECT_EQ(reports[0].stacks[1][0].file, "/home/user/my list/list.h");
}

TEST(TsanReport, ColumnsAndBuildIdsOfClang) {
  const auto reports = parse_tsan_reports(kClang);
  ASSERT_EQ(reports.size(), 1U);
  ASSERT_EQ(reports[0].stacks.size(), 2U);
  EXPECT_EQ(reports[0].stacks[0].size(), 2U);
  EXPECT_EQ(reports[0].stacks[0][0].line, 6U);
  EXPECT_EQ(reports[0].stacks[0][0].column, 3U);
  EXPECT_EQ(reports[0].stacks[0][1].function, "main::$_0::operator()() const");
  EXPECT_EQ(reports[0].stacks[1].size(), 1U);
  EXPECT_EQ(reports[0].stacks[1][0].file, "/home/user/./list.h");
}

TEST(TsanReport, WhatIsNoRace) {
  const auto reports = parse_tsan_reports(kOthers);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports[0].kind, FindingKind::use_after_free);
  EXPECT_EQ(reports[0].stacks.size(), 2U);
  EXPECT_TRUE(reports[0].stacks[1].empty());
  EXPECT_EQ(reports[1].kind, FindingKind::deadlock);
  EXPECT_EQ(reports[1].sentence, "ThreadSanitizer: lock-order-inversion (potential deadlock)");
  EXPECT_FALSE(reports[2].kind);
}

TEST(TsanReport, WhatIsNoReport) {
  EXPECT_TRUE(parse_tsan_reports("").empty());
  EXPECT_TRUE(parse_tsan_reports("#0 f /a.cpp:1\n  Write of size 4\nno report\n").empty());
  EXPECT_FALSE(tsan_was_running(""));
  EXPECT_TRUE(tsan_was_running("***** Running under ThreadSanitizer v3 (pid 1) *****\n"));
}

// A log may be truncated anywhere: the process was killed.
TEST(TsanReport, EveryBeginningOfALog) {
  const std::string_view whole = kGcc;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_LE(parse_tsan_reports(whole.substr(0, size)).size(), 1U);
  }
}

}  // namespace
}  // namespace ravel
