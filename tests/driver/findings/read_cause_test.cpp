// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/read_cause.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kX = 0x1000;
constexpr std::uint64_t kFlag = 0x2000;

// An execution, written down. Lines are code locations; memory holds what was written.
class Script {
 public:
  Script& read(TaskId task, std::uint64_t line, std::uint64_t address) {
    return add(task, OperationKind::read, line, address, memory_[address]);
  }
  Script& write(TaskId task, std::uint64_t line, std::uint64_t address, std::uint64_t value) {
    return add(task, OperationKind::write, line, address, value);
  }
  // Reads what was there before the latest store.
  Script& read_older(TaskId task, std::uint64_t line, std::uint64_t address, std::uint64_t value) {
    add(task, OperationKind::read, line, address, memory_[address]);
    record_.trace.back().before = value;
    record_.trace.back().flags |= kTraceOlderStore;
    return *this;
  }
  // Made by code that is not instrumented.
  Script& change_unseen(std::uint64_t address, std::uint64_t value) {
    memory_[address] = value;
    return *this;
  }
  Script& allocate(TaskId task, std::uint64_t line, std::uint64_t start) {
    AllocationRecord block;
    block.start = start;
    block.size = 64;
    block.step = record_.trace.size();
    block.task = task;
    block.frames[0] = line;
    record_.allocations.push_back(block);
    return *this;
  }
  // A step that is no access.
  Script& step(TaskId task, std::uint64_t line, OperationKind kind, std::uint64_t object) {
    add(task, kind, line, object, 0);
    record_.trace.back().flags = 0;
    return *this;
  }
  operator ExecutionLog() const { return ExecutionLog(record_); }

 private:
  Script& add(TaskId task, OperationKind kind, std::uint64_t line, std::uint64_t address, std::uint64_t value) {
    TraceEvent event = {};
    event.operation.task = task;
    event.operation.kind = kind;
    event.operation.object = address;
    event.operation.pc = line;
    event.operation.size = 8;
    event.before = memory_[address];
    event.after = value;
    event.flags = kTraceBeforeKnown | kTraceAfterKnown;
    memory_[address] = value;
    record_.trace.push_back(event);
    record_.decisions.push_back({DecisionKind::task, {}, 0, task, 1});
    return *this;
  }

  ExecutionRecord record_;
  std::map<std::uint64_t, std::uint64_t> memory_;
};

// "1:10 2:20": task and line of both operations.
struct Named {
  TaskId first_task;
  std::uint64_t first_line;
  TaskId second_task;
  std::uint64_t second_line;
  friend bool operator==(const Named&, const Named&) = default;
};

constexpr std::uint64_t kLibrarys = 0x4000;  // memory that the library keeps for itself

std::vector<ReadCause> causes_of(const ExecutionLog& failing, const ExecutionLog& passing, TaskId task) {
  const LogMatch match(failing, passing);
  return find_read_causes(failing, passing, match, std::vector{task}, [](const LoggedEvent& event) {
    return event.operation.object == kLibrarys ? Standing::bookkeeping : Standing::data;
  });
}

ReadCause root_of(const ExecutionLog& failing, const ExecutionLog& passing, TaskId task) {
  const std::vector<ReadCause> causes = causes_of(failing, passing, task);
  const auto root = std::find_if(causes.begin(), causes.end(), [](const ReadCause& one) { return one.is_root; });
  return root == causes.end() ? ReadCause{} : *root;
}

Named named(const ExecutionLog& failing, const ReadCause& cause) {
  const Operation& a = failing.at(cause.first).operation;
  const Operation& b = failing.at(cause.second).operation;
  return {a.task, a.pc, b.task, b.pc};
}

TEST(ReadCause, FollowsAWrongValueToTheReadItWasMadeFrom) {
  // Both read 0 and write 1; main expects 2.
  const ExecutionLog failing =
      Script().read(1, 10, kX).read(2, 10, kX).write(2, 11, kX, 1).write(1, 11, kX, 1).read(0, 20, kX);
  const ExecutionLog passing =
      Script().read(1, 10, kX).write(1, 11, kX, 1).read(2, 10, kX).write(2, 11, kX, 2).read(0, 20, kX);
  EXPECT_EQ(named(failing, root_of(failing, passing, 0)), (Named{2, 10, 1, 11}));
}

TEST(ReadCause, FollowsAWriteThatWasNotMadeToTheReadThatDecidedThat) {
  // T1 looks at the flag that T0 sets: when it is set it leaves without writing x.
  const ExecutionLog failing = Script().write(0, 1, kFlag, 1).read(1, 10, kFlag).read(0, 20, kX);
  const ExecutionLog passing = Script().read(1, 10, kFlag).write(0, 1, kFlag, 1).write(1, 11, kX, 5).read(0, 20, kX);
  EXPECT_EQ(named(failing, root_of(failing, passing, 0)), (Named{0, 1, 1, 10}));
}

TEST(ReadCause, PrefersWhatSentATaskAnotherWayToWhatItReadThere) {
  // With a stale flag T2 does not wait for T1 to be done with x.
  const ExecutionLog failing =
      Script().write(1, 1, kFlag, 1).write(1, 2, kX, 1).read_older(2, 10, kFlag, 0).read(2, 12, kX);
  const ExecutionLog passing = Script()
                                   .write(1, 1, kFlag, 1)
                                   .write(1, 2, kX, 1)
                                   .read(2, 10, kFlag)
                                   .read(2, 11, kFlag)
                                   .write(1, 3, kX, 0)
                                   .read(2, 12, kX);
  const ReadCause root = root_of(failing, passing, 2);
  EXPECT_EQ(named(failing, root), (Named{1, 1, 2, 10}));
  EXPECT_TRUE(root.weak);
}

TEST(ReadCause, LeavesOutWhatWasReadEarlierAndChangedNothing) {
  // T1 also reads a statistic, which differs, but went the same way with it.
  constexpr std::uint64_t kStatistic = 0x3000;
  const ExecutionLog failing =
      Script().write(0, 1, kStatistic, 1).read(1, 9, kStatistic).write(0, 2, kX, 1).read(1, 10, kX);
  const ExecutionLog passing =
      Script().read(1, 9, kStatistic).read(1, 10, kX).write(0, 1, kStatistic, 1).write(0, 2, kX, 1);
  const std::vector<ReadCause> causes = causes_of(failing, passing, 1);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(named(failing, causes[0]), (Named{0, 2, 1, 10}));
}

TEST(ReadCause, NamesTheLatestLookBeforeTheWrite) {
  const ExecutionLog failing =
      Script().read(1, 10, kX).read(1, 11, kX).write(2, 20, kX, 7).read(1, 12, kX).write(1, 13, kFlag, 1);
  const ExecutionLog passing = Script().write(2, 20, kX, 7).read(1, 10, kX).read(1, 12, kX);
  const ReadCause root = causes_of(failing, passing, 1).front();
  EXPECT_EQ(named(failing, root), (Named{1, 11, 2, 20}));
  EXPECT_EQ(failing.at(root.third).operation.pc, 12U);
}

TEST(ReadCause, AWriteThatHidAnotherIsAStaleLook) {
  // T1 looks, T2 publishes 3, T1 publishes 2 over it. In the passing execution T1 publishes first.
  const ExecutionLog failing = Script().read(1, 10, kX).write(2, 20, kX, 3).write(1, 11, kX, 2).read(0, 30, kX);
  const ExecutionLog passing = Script().read(1, 10, kX).write(1, 11, kX, 2).write(2, 20, kX, 3).read(0, 30, kX);
  const ReadCause root = root_of(failing, passing, 0);
  EXPECT_EQ(named(failing, root), (Named{1, 10, 2, 20}));
  EXPECT_EQ(failing.at(root.third).operation.pc, 11U);
}

TEST(ReadCause, AWriteThatWasNeverMadeIsMissing) {
  const ExecutionLog failing = Script().read(1, 10, kX);
  const ExecutionLog passing = Script().write(2, 20, kX, 1).read(1, 10, kX);
  const ReadCause root = root_of(failing, passing, 1);
  EXPECT_EQ(failing.at(root.first).operation.pc, 10U);
  ASSERT_NE(root.missing, kNoEvent);
  EXPECT_EQ(passing.at(root.missing).operation.pc, 20U);
}

TEST(ReadCause, UnseenCodeIsToldByWhatWasWrittenBesideIt) {
  // A container links a node in code that is not instrumented, and counts it in its header.
  constexpr std::uint64_t kRoot = 0x5000;
  constexpr std::uint64_t kCount = 0x5018;
  const ExecutionLog failing =
      Script().read(1, 9, kRoot).read(2, 9, kRoot).change_unseen(kRoot, 7).write(1, 11, kCount, 1);
  const ExecutionLog passing =
      Script().read(1, 9, kRoot).change_unseen(kRoot, 7).write(1, 11, kCount, 1).read(2, 9, kRoot);
  EXPECT_EQ(named(failing, root_of(failing, passing, 2)), (Named{2, 9, 1, 11}));
}

TEST(ReadCause, FollowsWhatTheLibraryKeepsWithoutNamingIt) {
  // T0 finds no value in a future: T1 saw the flag and did not set one.
  const ExecutionLog failing = Script().write(2, 1, kFlag, 1).read(1, 10, kFlag).read(0, 20, kLibrarys);
  const ExecutionLog passing =
      Script().read(1, 10, kFlag).write(2, 1, kFlag, 1).write(1, 11, kLibrarys, 1).read(0, 20, kLibrarys);
  const std::vector<ReadCause> causes = causes_of(failing, passing, 0);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(named(failing, causes[0]), (Named{2, 1, 1, 10}));
}

TEST(ReadCause, FollowsAWaitThatNeverEndsToWhoeverShouldHaveEndedIt) {
  constexpr std::uint64_t kCondition = 0x6000;
  using Kind = OperationKind;
  const ExecutionLog failing =
      Script().step(0, 20, Kind::condition_wait, kCondition).write(2, 1, kFlag, 1).read(1, 10, kFlag);
  const ExecutionLog passing = Script()
                                   .step(0, 20, Kind::condition_wait, kCondition)
                                   .read(1, 10, kFlag)
                                   .step(1, 11, Kind::condition_signal, kCondition)
                                   .step(0, 20, Kind::condition_wake, kCondition)
                                   .write(2, 1, kFlag, 1);
  const std::vector<ReadCause> causes = causes_of(failing, passing, 0);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(named(failing, causes[0]), (Named{2, 1, 1, 10}));
}

TEST(ReadCause, WhatJoinsAndCreationsOrderIsAlwaysSo) {
  using Kind = OperationKind;
  const ExecutionLog log = Script()
                               .write(0, 1, kX, 1)
                               .step(0, 2, Kind::task_create, 2)
                               .write(2, 3, kX, 2)
                               .write(1, 4, kX, 3)
                               .step(0, 5, Kind::task_join, 2)
                               .read(0, 6, kX);
  EXPECT_TRUE(log.is_always_before(0, 2)) << "written before the task was created";
  EXPECT_TRUE(log.is_always_before(2, 5)) << "the task was joined";
  EXPECT_FALSE(log.is_always_before(2, 3));
  EXPECT_FALSE(log.is_always_before(3, 5));
}

TEST(ReadCause, MemoryIsTheSameWhereverItsBlockLies) {
  // The blocks of the two tasks have changed places; nothing that was read differs.
  constexpr std::uint64_t kA = 0x10000;
  constexpr std::uint64_t kB = 0x20000;
  const ExecutionLog failing = Script()
                                   .allocate(1, 5, kA)
                                   .write(1, 6, kA, kA)
                                   .allocate(2, 5, kB)
                                   .write(2, 6, kB, kB)
                                   .read(1, 7, kA)
                                   .read(2, 7, kB);
  const ExecutionLog passing = Script()
                                   .allocate(2, 5, kA)
                                   .write(2, 6, kA, kA)
                                   .allocate(1, 5, kB)
                                   .write(1, 6, kB, kB)
                                   .read(1, 7, kB)
                                   .read(2, 7, kA);
  EXPECT_TRUE(causes_of(failing, passing, 1).empty());
  EXPECT_TRUE(causes_of(failing, passing, 2).empty());
}

}  // namespace
}  // namespace ravel
