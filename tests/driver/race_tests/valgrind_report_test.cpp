// SPDX-License-Identifier: Apache-2.0
// Errors of Helgrind and DRD as valgrind 3.19 wrote them; inner frames of libraries are left out.
#include "driver/race_tests/valgrind_report.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

constexpr const char* kHelgrind = R"(<?xml version="1.0"?>
<valgrindoutput>
<announcethread>
  <hthreadid>2</hthreadid>
  <stack>
    <frame> <ip>0x1093F8</ip> <fn>main</fn> <dir>/home/user</dir> <file>main.cpp</file> <line>7</line> </frame>
  </stack>
</announcethread>
<error>
  <unique>0x0</unique>
  <tid>2</tid>
  <kind>Race</kind>
  <xwhat>
    <text>Possible data race during write of size 4 at 0x1FFF000570 by thread #2</text>
    <hthreadid>2</hthreadid>
  </xwhat>
  <stack>
    <frame>
      <ip>0x109362</ip>
      <obj>/home/user/plain_prog</obj>
      <fn>List&lt;int&gt;::add(int&amp;&amp;)</fn>
      <dir>/home/user</dir>
      <file>list.cpp</file>
      <line>6</line>
    </frame>
    <frame>
      <ip>0x493C4A2</ip>
      <obj>/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30</obj>
    </frame>
  </stack>
  <xauxwhat>
    <text>This conflicts with a previous read of size 4 by thread #3</text>
    <hthreadid>3</hthreadid>
  </xauxwhat>
  <stack>
    <frame>
      <ip>0x109BF6</ip>
      <obj>/home/user/plain_prog</obj>
      <fn>List::is_empty() const</fn>
      <dir>/home/user</dir>
      <file>list.h</file>
      <line>6</line>
    </frame>
  </stack>
  <auxwhat>Address 0x1fff000570 is on thread #1's stack</auxwhat>
</error>
<error>
  <kind>LockOrder</kind>
  <xwhat><text>Thread #1: lock order violated</text></xwhat>
  <stack><frame><ip>0x1</ip></frame></stack>
</error>
</valgrindoutput>
)";

constexpr const char* kDrd = R"(<error>
  <unique>0x8</unique>
  <tid>2</tid>
  <kind>ConflictingAccess</kind>
  <what>Conflicting store by thread 2 at 0x1fff000570 size 4</what>
  <stack>
    <frame>
      <fn>List::add(int)</fn>
      <dir>/home/user</dir>
      <file>list.cpp</file>
      <line>6</line>
    </frame>
  </stack>
  <auxwhat>Allocation context: unknown.</auxwhat>
  <other_segment_start>
  <stack>
    <frame>
      <fn>clone</fn>
      <dir>./misc/../sysdeps/unix/sysv/linux/x86_64</dir>
      <file>clone.S</file>
      <line>83</line>
    </frame>
  </stack>
  </other_segment_start>
</error>
)";

TEST(ValgrindReport, HelgrindNamesBothAccesses) {
  const auto reports = parse_valgrind_reports(kHelgrind);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].kind, FindingKind::data_race);
  EXPECT_FALSE(reports[0].half);
  EXPECT_EQ(reports[0].sentence,
            "Possible data race during write of size 4 by thread #2, which conflicts with a previous read of size 4 by "
            "thread #3");
  ASSERT_EQ(reports[0].stacks.size(), 2U);
  ASSERT_EQ(reports[0].stacks[0].size(), 2U);
  EXPECT_EQ(reports[0].stacks[0][0].function, "List<int>::add(int&&)");
  EXPECT_EQ(reports[0].stacks[0][0].file, "/home/user/list.cpp");
  EXPECT_EQ(reports[0].stacks[0][0].line, 6U);
  EXPECT_EQ(reports[0].stacks[0][1].function, "??");
  EXPECT_EQ(reports[0].stacks[1][0].file, "/home/user/list.h");
  EXPECT_EQ(reports[1].kind, FindingKind::deadlock);
  EXPECT_TRUE(reports[1].stacks.empty());
}

TEST(ValgrindReport, DrdNamesOneAccess) {
  const auto reports = parse_valgrind_reports(kDrd);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].kind, FindingKind::data_race);
  EXPECT_TRUE(reports[0].half);
  EXPECT_EQ(reports[0].sentence, "Conflicting store by thread 2 size 4");
  ASSERT_EQ(reports[0].stacks.size(), 1U);
  EXPECT_EQ(reports[0].stacks[0][0].file, "/home/user/list.cpp");
}

TEST(ValgrindReport, EveryBeginningOfALog) {
  const std::string_view whole = kHelgrind;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_LE(parse_valgrind_reports(whole.substr(0, size)).size(), 2U);
  }
}

}  // namespace
}  // namespace ravel
