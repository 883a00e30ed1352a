// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/race_detector.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ravel {
namespace {

class RaceDetectorTest : public ::testing::Test {
 protected:
  RaceDetectorTest() {
    order_.prepare();
    hidden_.prepare(order_);
    races_.prepare(hidden_);
    order_.task_created(1, 0);
    order_.task_created(2, 0);
  }

  Conflict access(TaskId task, bool is_write, unsigned mask, bool atomic = false, std::uint32_t location = 1) {
    return races_.access(cell_, AccessSlot(order_.now(task), atomic, location, mask), is_write, order_);
  }
  Conflict write(TaskId task, unsigned mask = 0xff) { return access(task, true, mask); }
  Conflict read(TaskId task, unsigned mask = 0xff) { return access(task, false, mask); }

  void hand_over(TaskId from, TaskId to) {
    order_.release_store(from, 64);
    order_.acquire(to, 64);
  }

  HappensBefore order_;
  HiddenOrder hidden_;
  RaceDetector races_;
  ShadowCell cell_ = {};
};

TEST_F(RaceDetectorTest, TwoWritesThatNothingOrdersRace) {
  EXPECT_FALSE(write(1));
  const Conflict conflict = write(2);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict.other.task(), 1U);
  EXPECT_TRUE(conflict.other_writes);
}

TEST_F(RaceDetectorTest, AReadAndAWriteRaceInBothOrders) {
  EXPECT_FALSE(write(1));
  EXPECT_TRUE(read(2));
  cell_ = {};
  EXPECT_FALSE(read(2));
  const Conflict conflict = write(1);
  ASSERT_TRUE(conflict);
  EXPECT_FALSE(conflict.other_writes);
}

// Who checks and then uses must be found where it uses: only there a switch shows the bug.
TEST_F(RaceDetectorTest, TheLatestPlaceOfAStretchIsRemembered) {
  EXPECT_FALSE(access(1, false, 0xff, false, 7));
  EXPECT_FALSE(access(1, false, 0xff, false, 8));
  EXPECT_EQ(write(2).other.location(), 8U);
}

TEST_F(RaceDetectorTest, AReadAfterAWriteOfTheSameStretchIsRememberedBesideIt) {
  EXPECT_FALSE(access(1, true, 0xff, false, 7));
  EXPECT_FALSE(access(1, false, 0xff, false, 8));
  const Conflict conflict = write(2);
  EXPECT_EQ(conflict.other.location(), 7U);
  EXPECT_EQ(conflict.further[0].location(), 8U);
}

TEST_F(RaceDetectorTest, ReadsDoNotRace) {
  EXPECT_FALSE(read(1));
  EXPECT_FALSE(read(2));
}

TEST_F(RaceDetectorTest, AHandOverOrders) {
  EXPECT_FALSE(write(1));
  hand_over(1, 2);
  EXPECT_FALSE(write(2));
  EXPECT_FALSE(read(2));
}

TEST_F(RaceDetectorTest, WhatFollowsTheReleaseIsNotOrdered) {
  order_.release_store(1, 64);
  EXPECT_FALSE(write(1));
  order_.acquire(2, 64);
  EXPECT_TRUE(write(2));
}

TEST_F(RaceDetectorTest, NeighbouringBytesDoNotRace) {
  EXPECT_FALSE(write(1, 0x0f));
  EXPECT_FALSE(write(2, 0xf0));
  EXPECT_FALSE(write(1, 0x0f));
  EXPECT_TRUE(write(2, 0x08));
}

TEST_F(RaceDetectorTest, EveryOneOfSeveralReadersIsRemembered) {
  EXPECT_FALSE(read(1));
  EXPECT_FALSE(read(2));
  hand_over(2, 0);  // T0 knows of T2's read only
  const Conflict conflict = write(0);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict.other.task(), 1U);
}

TEST_F(RaceDetectorTest, AnOrderedWriteMakesEarlierAccessesUseless) {
  EXPECT_FALSE(read(1));
  hand_over(1, 2);
  EXPECT_FALSE(write(2));
  hand_over(2, 0);
  EXPECT_FALSE(write(0));
  EXPECT_EQ(cell_.more, 0U);
  EXPECT_EQ(AccessSlot(cell_.last_read).mask(), 0U);
}

TEST_F(RaceDetectorTest, AtomicsDoNotRaceWithEachOther) {
  EXPECT_FALSE(access(1, true, 0x0f, true));
  EXPECT_FALSE(access(2, true, 0x0f, true));
  EXPECT_FALSE(access(1, false, 0x0f, true));
}

TEST_F(RaceDetectorTest, AnAtomicRacesWithAPlainAccess) {
  EXPECT_FALSE(access(1, true, 0x0f, true));
  EXPECT_TRUE(access(2, true, 0x0f, false));
}

TEST_F(RaceDetectorTest, AnAtomicDoesNotHideAnEarlierPlainWriteOfTheSameTask) {
  EXPECT_FALSE(access(1, true, 0x0f, false));
  EXPECT_FALSE(access(1, true, 0x0f, true));
  EXPECT_TRUE(access(2, false, 0x0f, true)) << "the plain write is not ordered before the atomic read";
}

TEST_F(RaceDetectorTest, ManyTasksAndPiecesAreAllRemembered) {
  for (TaskId task = 3; task < 40; ++task) order_.task_created(task, 0);
  for (TaskId task = 1; task < 40; ++task) EXPECT_FALSE(read(task, 1U << (task % 8)));
  for (unsigned byte = 0; byte < 8; ++byte) EXPECT_TRUE(write(0, 1U << byte)) << byte;
}

TEST_F(RaceDetectorTest, ARaceThatHiddenOrderCouldExplainSaysSo) {
  write(1);
  hidden_.pass(1, 1, 0);
  hidden_.pass(2, 1, 0);
  const Conflict conflict = write(2);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict.explained_by, 0U);
}

TEST_F(RaceDetectorTest, ARaceThatNothingExplainsComesFirst) {
  read(1);
  hidden_.pass(1, 1, 0);
  hidden_.pass(2, 1, 0);
  read(0);
  const Conflict conflict = write(2);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict.other.task(), 0U);
  EXPECT_EQ(conflict.explained_by, HiddenOrder::kNone);
}

// So many that they are kept in tables.
class ManyTasksTest : public RaceDetectorTest {
 protected:
  static constexpr TaskId kTasks = 300;
  ManyTasksTest() {
    for (TaskId task = 3; task < kTasks; ++task) order_.task_created(task, 0);
  }

  // Every task but T0 does it in three stretches; between them it releases what it did for nobody to acquire.
  template <typename Access>
  void all_three_times(Access access) {
    for (int stretch = 0; stretch < 3; ++stretch) {
      for (TaskId task = 1; task < kTasks; ++task) {
        EXPECT_FALSE(access(task, stretch)) << task;
        order_.release_store(task, 1024 + 8 * task);
      }
    }
  }
  void all_hand_over_but(TaskId one) {
    for (TaskId task = 1; task < kTasks; ++task) {
      if (task != one) hand_over(task, 0);
    }
  }
};

TEST_F(ManyTasksTest, OneReaderOfManyThatNothingOrdersIsFound) {
  for (TaskId one : {1, 16, 17, 150, 298, 299}) {
    cell_ = {};
    all_three_times([&](TaskId task, int) { return read(task); });
    all_hand_over_but(one);
    const Conflict conflict = write(0);
    ASSERT_TRUE(conflict) << one;
    EXPECT_EQ(conflict.other.task(), one);
    EXPECT_FALSE(conflict.further[0]);
    EXPECT_EQ(cell_.more, 0U) << "a write leaves no reads";
  }
}

TEST_F(ManyTasksTest, ReadersInOrderAreClean) {
  all_three_times([&](TaskId task, int) { return read(task); });
  all_hand_over_but(0);
  EXPECT_FALSE(write(0));
  EXPECT_EQ(cell_.more, 0U);
}

TEST_F(ManyTasksTest, HalvesAndBytesReadInDifferentStretchesAreAllKept) {
  for (unsigned bytes : {0xf0U, 0x0fU, 0x03U, 0x08U, 0x3cU}) {
    for (unsigned other : {0x01U, 0x18U, 0x80U}) {
      cell_ = {};
      all_three_times([&](TaskId task, int stretch) { return read(task, stretch == 1 ? bytes : other); });
      for (unsigned byte = 0; byte < 8; ++byte) {
        EXPECT_EQ(static_cast<bool>(write(0, 1U << byte)), (((bytes | other) >> byte) & 1) != 0)
            << bytes << ' ' << other << ' ' << byte;
      }
    }
  }
}

TEST_F(ManyTasksTest, AtomicsOfManyDoNotHideAPlainAccessOfOne) {
  all_three_times([&](TaskId task, int stretch) { return access(task, stretch != 2, 0x0f, true); });
  all_hand_over_but(77);
  EXPECT_FALSE(access(0, true, 0x0f, true));
  const Conflict conflict = write(0, 0x0f);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict.other.task(), 77U);
}

TEST_F(ManyTasksTest, APlainReadAmongManyIsFoundByAnAtomicWrite) {
  all_three_times([&](TaskId task, int) { return read(task); });
  all_hand_over_but(5);
  const Conflict conflict = access(0, true, 0xff, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict.other.task(), 5U);
}

TEST_F(ManyTasksTest, ClearedTablesAreUsedAgain) {
  for (int round = 0; round < 3; ++round) {
    all_three_times([&](TaskId task, int) { return read(task); });
    races_.clear(cell_);
    EXPECT_FALSE(write(0));
    races_.clear(cell_);
  }
}

// The short way for a read beside another task's must leave what the long way leaves, or a race would be told with
// another access once the short way is off.
TEST_F(RaceDetectorTest, TheShortWayOfAReadLeavesTheSameAsTheLongWay) {
  RaceDetector long_way;
  long_way.prepare(hidden_);
  ShadowCell other = {};
  Random random(7);
  unsigned short_ways = 0;
  for (unsigned step = 0; step < 20'000; ++step) {
    const auto task = static_cast<TaskId>(random.below(3));
    if (random.below(4) == 0) {
      hand_over(task, static_cast<TaskId>(random.below(3)));
      continue;
    }
    if (random.below(50) == 0) {
      races_.clear(cell_);
      long_way.clear(other);
    }
    const bool is_write = random.below(40) == 0;
    const unsigned mask = random.below(4) == 0 ? 0x0f : 0xff;
    const AccessSlot access(order_.now(task), random.below(30) == 0, 1 + random.below(5), mask);
    const bool is_short = !is_write && !access.atomic() && cell_.more != 0 &&
                          !RaceDetector::seen_before(cell_, access, false) &&
                          races_.read_beside_another(cell_, access, [&](std::uint64_t slot) {
                            return slot == 0 || order_.before(AccessSlot(slot).epoch(), task);
                          });
    short_ways += is_short ? 1 : 0;
    const Conflict expected = long_way.access(other, access, is_write, order_);
    const Conflict conflict = is_short ? Conflict{} : races_.access(cell_, access, is_write, order_);
    ASSERT_EQ(conflict.other.bits(), expected.other.bits()) << step;
    for (unsigned i = 0; i < Conflict::kMostFurther; ++i) {
      ASSERT_EQ(conflict.further[i].bits(), expected.further[i].bits()) << step;
    }
    ASSERT_EQ(cell_.last_write, other.last_write) << step;
    ASSERT_EQ(cell_.last_read, other.last_read) << step;
    ASSERT_EQ(cell_.more == 0, other.more == 0) << step;
  }
  EXPECT_GT(short_ways, 500U);
}

TEST_F(RaceDetectorTest, ClearedCellsAreAsNew) {
  EXPECT_FALSE(read(1));
  EXPECT_FALSE(read(2));
  races_.clear(cell_);
  EXPECT_FALSE(write(0));
  EXPECT_EQ(cell_.more, 0U);
}

}  // namespace
}  // namespace ravel
