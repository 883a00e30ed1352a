// SPDX-License-Identifier: Apache-2.0
// Who knows of whose past, edge by edge: each edge beside what it must not order.
#include "runtime/memory/happens_before.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ravel {
namespace {

constexpr std::uint64_t kLock = 0x1000;
constexpr std::uint64_t kOther = 0x2000;

// T0 and two children that know of each other only what the edges of a test tell them.
class HappensBeforeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    order_.prepare();
    order_.task_created(1, 0);
    order_.task_created(2, 0);
  }

  // What `task` does now, as an access would remember it.
  Epoch act(TaskId task) { return order_.now(task); }

  HappensBefore order_;
};

TEST_F(HappensBeforeTest, CreatorsPastIsTheChildsButNotTheOtherWayRound) {
  HappensBefore order;
  order.prepare();
  const Epoch before = order.now(0);
  order.task_created(1, 0);
  const Epoch after = order.now(0);
  const Epoch childs = order.now(1);
  EXPECT_TRUE(order.before(before, 1));
  EXPECT_FALSE(order.before(after, 1));
  EXPECT_FALSE(order.before(childs, 0));
}

TEST_F(HappensBeforeTest, SiblingsAreUnordered) {
  EXPECT_FALSE(order_.before(act(1), 2));
  EXPECT_FALSE(order_.before(act(2), 1));
}

TEST_F(HappensBeforeTest, JoinerKnowsAllThatTheJoinedTaskDidAndKnew) {
  const Epoch second = act(2);
  order_.release(2, kLock);
  order_.acquire(1, kLock);
  const Epoch first = act(1);
  order_.task_joined(1, 0);
  EXPECT_TRUE(order_.before(first, 0));
  EXPECT_TRUE(order_.before(second, 0));
  EXPECT_FALSE(order_.before(act(2), 0)) << "what T2 did after its release";
}

TEST_F(HappensBeforeTest, ReleaseOrdersWhatWasBeforeItOnly) {
  const Epoch before = act(1);
  order_.release_store(1, kLock);
  const Epoch after = act(1);
  order_.acquire(2, kLock);
  EXPECT_TRUE(order_.before(before, 2));
  EXPECT_FALSE(order_.before(after, 2));
}

TEST_F(HappensBeforeTest, AcquireOfAnotherObjectOrdersNothing) {
  const Epoch before = act(1);
  order_.release_store(1, kLock);
  order_.acquire(2, kOther);
  EXPECT_FALSE(order_.before(before, 2));
}

TEST_F(HappensBeforeTest, AcquireBeforeTheReleaseOrdersNothing) {
  order_.acquire(2, kLock);
  const Epoch before = act(1);
  order_.release_store(1, kLock);
  EXPECT_FALSE(order_.before(before, 2));
}

TEST_F(HappensBeforeTest, EdgesAreTransitiveThroughATaskInBetween) {
  order_.task_created(3, 0);
  const Epoch first = act(1);
  order_.release_store(1, kLock);
  order_.acquire(2, kLock);
  order_.release_store(2, kOther);
  order_.acquire(3, kOther);
  EXPECT_TRUE(order_.before(first, 3));
}

TEST_F(HappensBeforeTest, EdgesAreTransitiveThroughCreation) {
  const Epoch first = act(1);
  order_.release_store(1, kLock);
  order_.acquire(2, kLock);
  order_.task_created(3, 2);
  EXPECT_TRUE(order_.before(first, 3));
}

TEST_F(HappensBeforeTest, ReleaseAddsToWhatTheObjectHolds) {
  const Epoch first = act(1);
  const Epoch second = act(2);
  order_.release(1, kLock);
  order_.release(2, kLock);
  order_.acquire(0, kLock);
  EXPECT_TRUE(order_.before(first, 0));
  EXPECT_TRUE(order_.before(second, 0));
  EXPECT_FALSE(order_.before(first, 2)) << "a release learns nothing";
}

TEST_F(HappensBeforeTest, ReleaseStoreReplacesWhatTheObjectHolds) {
  const Epoch first = act(1);
  const Epoch second = act(2);
  order_.release(1, kLock);
  order_.release_store(2, kLock);
  order_.acquire(0, kLock);
  EXPECT_FALSE(order_.before(first, 0));
  EXPECT_TRUE(order_.before(second, 0));
}

TEST_F(HappensBeforeTest, ForgottenObjectsBeginAnew) {
  const Epoch first = act(1);
  order_.release(1, kLock);
  order_.forget(kLock);
  order_.acquire(2, kLock);
  EXPECT_FALSE(order_.before(first, 2));
  const Epoch second = act(1);
  order_.release(1, kLock);
  order_.acquire(2, kLock);
  EXPECT_TRUE(order_.before(first, 2));
  EXPECT_TRUE(order_.before(second, 2));
}

// Invariant 2: the own clock is greater than in every snapshot, so nothing done later is taken for released.
TEST_F(HappensBeforeTest, EverySnapshotTicks) {
  for (int round = 0; round < 5; ++round) {
    const ReleaseClock taken = order_.snapshot(1);
    EXPECT_EQ(taken.task, 1U);
    EXPECT_GT(order_.now(1).clock(), taken.clock);
    EXPECT_FALSE(order_.before(act(1), taken));
    order_.drop(taken);
  }
  const std::uint32_t before = order_.now(1).clock();
  order_.acquire(1, kLock);
  EXPECT_EQ(order_.now(1).clock(), before) << "an acquire does not tick";
  order_.task_created(3, 1);
  EXPECT_EQ(order_.now(1).clock(), before + 1) << "a creation releases to the child";
}

TEST_F(HappensBeforeTest, SnapshotsWithoutNewKnowledgeShareOneClock) {
  const ReleaseClock first = order_.snapshot(1);
  const ReleaseClock second = order_.snapshot(1);
  EXPECT_EQ(first.base, second.base);
  EXPECT_LT(first.clock, second.clock);
  order_.release_store(2, kLock);
  order_.acquire(1, kLock);
  const ReleaseClock third = order_.snapshot(1);
  EXPECT_NE(first.base, third.base) << "T1 learned of T2 in between";
  EXPECT_FALSE(order_.before(Epoch(2, 1), first)) << "frozen clocks never change";
  EXPECT_TRUE(order_.before(Epoch(2, 1), third));
  order_.drop(first);
  order_.drop(second);
  order_.drop(third);
}

TEST_F(HappensBeforeTest, MergeHasThePastOfBoth) {
  const Epoch first = act(1);
  const Epoch second = act(2);
  const ReleaseClock a = order_.snapshot(1);
  const ReleaseClock b = order_.snapshot(2);
  const ReleaseClock both = order_.merge(a, b);
  EXPECT_TRUE(order_.before(first, both));
  EXPECT_TRUE(order_.before(second, both));
  EXPECT_FALSE(order_.before(act(1), both));
  EXPECT_FALSE(order_.before(act(2), both));
  order_.join(0, both);
  EXPECT_TRUE(order_.before(first, 0));
  EXPECT_TRUE(order_.before(second, 0));
  order_.drop(a);
  order_.drop(b);
  order_.drop(both);
}

TEST_F(HappensBeforeTest, MergeWithWhatIsKnownAlreadyCostsNoClock) {
  const ReleaseClock a = order_.snapshot(1);
  order_.join(2, a);
  const ReleaseClock b = order_.snapshot(2);
  const ReleaseClock both = order_.merge(a, b);
  EXPECT_EQ(both.base, b.base);
  EXPECT_EQ(both.clock, b.clock);
  const ReleaseClock with_nothing = order_.merge(ReleaseClock{}, b);
  EXPECT_EQ(with_nothing.base, b.base);
  order_.drop(a);
  order_.drop(b);
  order_.drop(both);
  order_.drop(with_nothing);
}

// A wake that reaches one task: the snapshot goes to it and nobody else.
TEST_F(HappensBeforeTest, JoinOfASnapshotTellsOneTask) {
  order_.task_created(3, 0);
  const Epoch first = act(1);
  const ReleaseClock past = order_.snapshot(1);
  order_.join(2, past);
  order_.drop(past);
  EXPECT_TRUE(order_.before(first, 2));
  EXPECT_FALSE(order_.before(first, 3));
}

TEST_F(HappensBeforeTest, ClocksThatNobodyNeedsAreUsedAgain) {
  for (int round = 0; round < 100; ++round) {
    order_.acquire(1, kLock);
    order_.release_store(1, kLock);
    order_.acquire(2, kLock);
    order_.release_store(2, kLock);
  }
  const std::size_t bytes = order_.bytes();
  for (int round = 0; round < 10000; ++round) {
    order_.acquire(1, kLock);
    order_.release_store(1, kLock);
    order_.release(1, kOther);
    order_.acquire(2, kLock);
    order_.release_store(2, kLock);
    order_.release(2, kOther);
  }
  EXPECT_LE(order_.bytes(), bytes + 1024);
}

TEST_F(HappensBeforeTest, KnowsAllAfterTheLastJoin) {
  EXPECT_FALSE(order_.knows_all(0));
  order_.task_joined(1, 0);
  EXPECT_FALSE(order_.knows_all(0));
  order_.task_joined(2, 0);
  EXPECT_TRUE(order_.knows_all(0));
  EXPECT_FALSE(order_.knows_all(1));
}

TEST_F(HappensBeforeTest, NumbersOfFencesTravelWithThePast) {
  order_.set_fence_number(1, 7);
  order_.release_store(1, kLock);
  order_.acquire(2, kLock);
  EXPECT_EQ(order_.fence_number(2), 7U);
  EXPECT_EQ(order_.fence_number(0), 0U);
}

// A chain through more tasks than any size class of clocks holds at first: clocks taken when there were few tasks are
// read when there are many.
TEST_F(HappensBeforeTest, ManyTasksInAChain) {
  constexpr TaskId kTasks = 1000;
  order_.release_store(1, kLock);
  const Epoch early = Epoch(1, 1);
  for (TaskId id = 3; id < kTasks; ++id) order_.task_created(id, 0);
  for (TaskId id = 3; id < kTasks; ++id) {
    const Epoch mine = act(id);
    EXPECT_FALSE(order_.before(early, id));
    order_.acquire(id, kLock);
    EXPECT_TRUE(order_.before(early, id));
    order_.release_store(id, kLock);
    EXPECT_FALSE(order_.before(mine, 0));
  }
  order_.acquire(2, kLock);
  for (TaskId id = 3; id < kTasks; ++id) {
    EXPECT_TRUE(order_.before(Epoch(id, 1), 2)) << id;
    EXPECT_FALSE(order_.before(act(id), 2)) << id;
  }
}

// Clocks move when there are more tasks than the first rows have room for.
TEST_F(HappensBeforeTest, WhatIsKnownStaysKnownWhenClocksMove) {
  order_.release_store(1, kLock);
  order_.acquire(2, kLock);
  const Epoch known = Epoch(1, 1);
  const Epoch unknown = act(1);
  const std::uint32_t* const before = order_.own_clock(2);
  for (TaskId id = 3; id < 100; ++id) {
    order_.task_created(id, 0);
    EXPECT_TRUE(order_.before(known, 2)) << id;
    EXPECT_FALSE(order_.before(unknown, 2)) << id;
    EXPECT_EQ(*order_.own_clock(2), act(2).clock()) << id;
    EXPECT_FALSE(order_.before(known, id)) << id;
  }
  EXPECT_NE(order_.own_clock(2), before);
}

// The same questions asked of plain vector clocks, kept beside.
TEST_F(HappensBeforeTest, AgreesWithPlainVectorClocks) {
  constexpr TaskId kTasks = 6;
  constexpr std::uint64_t kObjects = 4;
  for (TaskId id = 3; id < kTasks; ++id) order_.task_created(id, 0);
  std::uint32_t task[kTasks][kTasks] = {};
  std::uint32_t object[kObjects][kTasks] = {};
  for (TaskId t = 0; t < kTasks; ++t) {
    for (TaskId of = 0; of < kTasks; ++of) task[t][of] = order_.known(t, of);
  }
  std::uint64_t random = 12345;
  for (int step = 0; step < 20000; ++step) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto t = static_cast<TaskId>((random >> 33) % kTasks);
    const std::uint64_t o = (random >> 40) % kObjects;
    const std::uint64_t key = kLock + o;
    switch ((random >> 50) % 4) {
      case 0:
        order_.acquire(t, key);
        for (TaskId of = 0; of < kTasks; ++of) task[t][of] = std::max(task[t][of], object[o][of]);
        break;
      case 1:
        order_.release(t, key);
        for (TaskId of = 0; of < kTasks; ++of) object[o][of] = std::max(object[o][of], task[t][of]);
        ++task[t][t];
        break;
      case 2:
        order_.release_store(t, key);
        for (TaskId of = 0; of < kTasks; ++of) object[o][of] = task[t][of];
        ++task[t][t];
        break;
      default:
        if ((random >> 60) != 0) break;
        order_.forget(key);
        for (TaskId of = 0; of < kTasks; ++of) object[o][of] = 0;
    }
    for (TaskId of = 0; of < kTasks; ++of) ASSERT_EQ(order_.known(t, of), task[t][of]) << "step " << step;
  }
}

TEST_F(HappensBeforeTest, SaysWhenATaskReleasesMoreOftenThanItsClockCounts) {
  for (std::uint32_t clock = order_.now(1).clock(); clock < Epoch::kLastClock; ++clock) order_.release_store(1, kLock);
  EXPECT_FALSE(order_.exhausted());
  order_.release_store(1, kLock);
  EXPECT_TRUE(order_.exhausted());
}

}  // namespace
}  // namespace ravel
