// SPDX-License-Identifier: Apache-2.0
// Litmus shapes at the level of the class: the order in which operations are performed and the store each one takes are
// written in the test; what is asked is which stores are offered. No tasks, no seeds.
#include "runtime/memory/store_histories.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

namespace ravel {
namespace {

constexpr auto kRelaxed = MemoryOrder::relaxed;
constexpr auto kAcquire = MemoryOrder::acquire;
constexpr auto kRelease = MemoryOrder::release;
constexpr auto kAcqRel = MemoryOrder::acq_rel;
constexpr auto kSeqCst = MemoryOrder::seq_cst;
constexpr std::uint64_t kX = 0x1000;
constexpr std::uint64_t kY = 0x2000;

using Values = std::vector<std::uint64_t>;

// Tasks 1 to 4, created by T0 one after the other; memory that starts as zeros.
class Litmus {
 public:
  explicit Litmus(std::uint32_t limit = 32) {
    order.prepare();
    for (TaskId task = 1; task <= 4; ++task) order.task_created(task, 0);
    hidden.prepare(order);
    histories.prepare(order, hidden, limit);
  }

  // Newest first.
  Values could_read(TaskId task, std::uint64_t address, MemoryOrder how) {
    Values values;
    const std::uint32_t count = begin(access(AtomicAccess::Kind::load, task, address, how));
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(histories.choose(i).low);
    return values;
  }

  // Reads the value, which must be offered.
  void read(TaskId task, std::uint64_t address, MemoryOrder how, std::uint64_t value) {
    const Values offered = could_read(task, address, how);
    for (std::uint32_t i = 0; i < offered.size(); ++i) {
      if (offered[i] != value) continue;
      histories.choose(i);
      histories.acquire_for_load();
      histories.finish_load();
      return;
    }
    ADD_FAILURE() << "T" << task << " cannot read " << value;
  }

  std::uint32_t places(TaskId task, std::uint64_t address, MemoryOrder how) {
    return begin(access(AtomicAccess::Kind::store, task, address, how));
  }

  void write(TaskId task, std::uint64_t address, MemoryOrder how, std::uint64_t value, std::uint32_t place = 0) {
    ASSERT_LT(place, places(task, address, how));
    histories.choose(place);
    if (histories.finish_store(AtomicValue{value, 0})) memory[address] = value;
  }

  Values could_modify(TaskId task, std::uint64_t address, MemoryOrder how) {
    Values values;
    const std::uint32_t count = begin(access(AtomicAccess::Kind::read_modify_write, task, address, how));
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(histories.choose(i).low);
    return values;
  }

  void modify(TaskId task, std::uint64_t address, MemoryOrder how, std::uint64_t value, std::uint32_t which = 0) {
    ASSERT_LT(which, could_modify(task, address, how).size());
    histories.choose(which);
    histories.acquire_for_read_modify_write();
    if (histories.finish_read_modify_write(AtomicValue{value, 0})) memory[address] = value;
  }

  Values could_compare(TaskId task, std::uint64_t address, std::uint64_t expected, MemoryOrder success,
                       MemoryOrder failure) {
    AtomicAccess what = access(AtomicAccess::Kind::compare_exchange, task, address, success);
    what.failure_order = failure;
    what.expected.low = expected;
    Values values;
    const std::uint32_t count = begin(what);
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(histories.choose(i).low);
    return values;
  }

  void fence(TaskId task, MemoryOrder how) { histories.fence(task, how); }
  bool knows(TaskId task, Epoch epoch) const { return order.before(epoch, task); }

  HappensBefore order;
  HiddenOrder hidden;
  StoreHistories histories;
  std::map<std::uint64_t, std::uint64_t> memory;

 private:
  static AtomicAccess access(AtomicAccess::Kind kind, TaskId task, std::uint64_t address, MemoryOrder how) {
    AtomicAccess result;
    result.kind = kind;
    result.task = task;
    result.address = address;
    result.size = 4;
    result.order = how;
    return result;
  }
  std::uint32_t begin(const AtomicAccess& what) { return histories.begin(what, AtomicValue{memory[what.address], 0}); }
};

// Reservations are large: one Litmus per test, on the heap because of its size.
std::unique_ptr<Litmus> litmus(std::uint32_t limit = 32) { return std::make_unique<Litmus>(limit); }

TEST(StoreHistories, ALoadOffersEveryStoreThatNobodyOrdersBeforeIt) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->write(1, kX, kRelaxed, 2);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{2, 1, 0}));
  EXPECT_EQ(run->could_read(1, kX, kRelaxed), Values{2}) << "CoWR: its own store";
}

TEST(StoreHistories, SequentialConsistencyIsAHistoryOfOne) {
  auto run = litmus(1);
  run->write(1, kX, kRelaxed, 1);
  run->write(1, kX, kRelaxed, 2);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{2});
  EXPECT_FALSE(run->histories.cut());
}

TEST(StoreHistories, CoRRReadsDoNotGoBack) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->write(1, kX, kRelaxed, 2);
  run->read(2, kX, kRelaxed, 1);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{2, 1}));
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), (Values{2, 1, 0})) << "T3 knows nothing of what T2 read";
}

TEST(StoreHistories, CoRRHoldsAcrossTasksThatAreOrdered) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->read(2, kX, kRelaxed, 1);
  run->write(2, kY, kRelease, 1);
  run->read(3, kY, kAcquire, 1);
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), Values{1});
}

TEST(StoreHistories, CoRWAStoreComesBehindWhatItsTaskHasRead) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  EXPECT_EQ(run->places(2, kX, kRelaxed), 2U);
  run->read(2, kX, kRelaxed, 1);
  EXPECT_EQ(run->places(2, kX, kRelaxed), 1U);
}

TEST(StoreHistories, StoreBufferingUnlessSequential) {
  auto run = litmus();
  run->write(1, kX, kRelease, 1);
  run->write(2, kY, kRelease, 1);
  EXPECT_EQ(run->could_read(1, kY, kAcquire), (Values{1, 0}));
  run->read(1, kY, kAcquire, 0);
  EXPECT_EQ(run->could_read(2, kX, kAcquire), (Values{1, 0}));

  auto sequential = litmus();
  sequential->write(1, kX, kSeqCst, 1);
  sequential->write(2, kY, kSeqCst, 1);
  EXPECT_EQ(sequential->could_read(1, kY, kSeqCst), Values{1});
  EXPECT_EQ(sequential->could_read(1, kY, kAcquire), (Values{1, 0})) << "an acquire load is not part of S";
}

// Rule 4: both sides have a fence.
TEST(StoreHistories, StoreBufferingWithTwoFences) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->write(2, kY, kRelaxed, 1);
  run->fence(1, kSeqCst);
  EXPECT_EQ(run->could_read(1, kY, kRelaxed), (Values{1, 0})) << "T2's fence has not been yet";
  run->read(1, kY, kRelaxed, 0);
  run->fence(2, kSeqCst);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{1});
}

// Rule 3: T1 is seq_cst throughout, T2 has a fence.
TEST(StoreHistories, StoreBufferingWithOneFenceAgainstSequentialAccesses) {
  auto run = litmus();
  run->write(1, kX, kSeqCst, 1);
  run->write(2, kY, kRelaxed, 1);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{1, 0})) << "no fence yet";
  run->fence(2, kSeqCst);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{1});
  // Rule 2: T2's store happens before its fence, which came before T1's load.
  EXPECT_EQ(run->could_read(1, kY, kSeqCst), Values{1});
  EXPECT_EQ(run->could_read(1, kY, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, AccessesAfterAFenceDoNotHappenBeforeIt) {
  auto run = litmus();
  run->fence(1, kSeqCst);
  run->write(1, kX, kRelaxed, 1);
  EXPECT_EQ(run->could_read(2, kX, kSeqCst), (Values{1, 0}));
  run->fence(2, kSeqCst);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, AFenceOfAnotherTaskCountsWhenItHappensBefore) {
  auto run = litmus();
  run->write(1, kX, kSeqCst, 1);
  run->fence(2, kSeqCst);
  run->write(2, kY, kRelease, 1);
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), (Values{1, 0}));
  run->read(3, kY, kAcquire, 1);
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), Values{1});
}

TEST(StoreHistories, MessagePassing) {
  auto relaxed = litmus();
  relaxed->write(1, kX, kRelaxed, 1);
  relaxed->write(1, kY, kRelaxed, 1);
  relaxed->read(2, kY, kAcquire, 1);
  EXPECT_EQ(relaxed->could_read(2, kX, kRelaxed), (Values{1, 0}));

  auto released = litmus();
  released->write(1, kX, kRelaxed, 1);
  released->write(1, kY, kRelease, 1);
  released->read(2, kY, kRelaxed, 1);
  EXPECT_EQ(released->could_read(2, kX, kRelaxed), (Values{1, 0}));
  released->fence(2, kAcquire);
  EXPECT_EQ(released->could_read(2, kX, kRelaxed), Values{1}) << "the fence acquires what was read before it";
}

TEST(StoreHistories, MessagePassingByAReleaseFence) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->fence(1, kRelease);
  run->write(1, kX, kRelaxed, 2);  // after the fence: not published by it
  run->write(1, kY, kRelaxed, 1);
  run->read(2, kY, kAcquire, 1);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{2, 1}));
}

TEST(StoreHistories, ReadModifyWritesContinueAReleaseSequenceAndStoresDoNot) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->write(1, kY, kRelease, 1);
  run->modify(2, kY, kRelaxed, 2);
  run->read(3, kY, kAcquire, 2);
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), Values{1});
  run->write(1, kY, kRelaxed, 3);  // C++20: not even by the same task
  run->read(4, kY, kAcquire, 3);
  EXPECT_EQ(run->could_read(4, kX, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, AReleasingReadModifyWriteAddsItsOwnPast) {
  auto run = litmus();
  constexpr std::uint64_t kZ = 0x3000;
  run->write(1, kX, kRelaxed, 1);
  run->write(1, kY, kRelease, 1);
  run->write(2, kZ, kRelaxed, 1);
  run->modify(2, kY, kRelease, 2);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{1, 0})) << "it did not acquire";
  run->read(3, kY, kAcquire, 2);
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), Values{1});
  EXPECT_EQ(run->could_read(3, kZ, kRelaxed), Values{1});
}

TEST(StoreHistories, TwoReadModifyWritesNeverReadTheSameStore) {
  auto run = litmus();
  run->modify(1, kX, kRelaxed, 1);
  EXPECT_EQ(run->could_modify(2, kX, kRelaxed), Values{1}) << "0 has been taken";
  run->write(1, kX, kRelaxed, 5);
  EXPECT_EQ(run->could_modify(2, kX, kRelaxed), (Values{5, 1}));
  run->modify(2, kX, kRelaxed, 2, 1);
  EXPECT_EQ(run->memory[kX], 5U) << "placed behind 1, before 5";
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), (Values{5, 2, 1, 0}));
  EXPECT_EQ(run->places(3, kX, kRelaxed), 2U) << "behind 5 and behind 2: nothing comes between 0, 1 and 2";
}

// 2+2W: both tasks store to both; each final value may be the first store of its task.
TEST(StoreHistories, StoresMayBePlacedBeforeNewerOnes) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->write(1, kY, kRelaxed, 2);
  run->write(2, kY, kRelaxed, 1, 1);
  EXPECT_EQ(run->memory[kY], 2U);
  run->write(2, kX, kRelaxed, 2, 1);
  EXPECT_EQ(run->memory[kX], 1U);
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), (Values{1, 2, 0}));

  auto sequential = litmus();
  sequential->write(1, kX, kSeqCst, 1);
  EXPECT_EQ(sequential->places(2, kX, kSeqCst), 1U);
}

TEST(StoreHistories, CompareExchangeFailsOnlyByReadingSomethingElse) {
  auto run = litmus();
  run->modify(1, kX, kRelaxed, 1);
  EXPECT_EQ(run->could_compare(2, kX, 0, kRelaxed, kRelaxed), Values{1}) << "0 is taken: neither success nor failure";
  EXPECT_EQ(run->could_compare(2, kX, 1, kRelaxed, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, CompareExchangeHasABoundForEachOfItsOrders) {
  auto run = litmus();
  run->write(1, kX, kSeqCst, 1);
  EXPECT_EQ(run->could_compare(2, kX, 1, kSeqCst, kRelaxed), (Values{1, 0})) << "the failing one is not part of S";
  EXPECT_EQ(run->could_compare(2, kX, 0, kSeqCst, kRelaxed), Values{1});
  EXPECT_EQ(run->could_compare(2, kX, 0, kRelaxed, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, IriwReadersAgreeOnlyWhenSequential) {
  auto run = litmus();
  run->write(1, kX, kRelease, 1);
  run->write(2, kY, kRelease, 1);
  run->read(3, kX, kAcquire, 1);
  run->read(3, kY, kAcquire, 0);
  run->read(4, kY, kAcquire, 1);
  EXPECT_EQ(run->could_read(4, kX, kAcquire), (Values{1, 0}));

  auto fenced = litmus();
  fenced->write(1, kX, kRelaxed, 1);
  fenced->write(2, kY, kRelaxed, 1);
  fenced->read(3, kX, kRelaxed, 1);
  fenced->fence(3, kSeqCst);
  fenced->read(3, kY, kRelaxed, 0);
  fenced->read(4, kY, kRelaxed, 1);
  fenced->fence(4, kSeqCst);
  EXPECT_EQ(fenced->could_read(4, kX, kRelaxed), Values{1}) << "T3 read 1 before its fence, which came before T4's";
}

TEST(StoreHistories, OldFencesAreReplacedByNewerOnes) {
  auto run = litmus();
  run->fence(2, kSeqCst);
  run->write(1, kX, kRelaxed, 1);
  for (int i = 0; i < 5000; ++i) run->fence(1, kSeqCst);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{1})
      << "more than the rules ask for, since T2's fence is forgotten";
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, TheLimitIsNotedWhenItTakesSomethingAway) {
  auto run = litmus(4);
  for (std::uint64_t value = 1; value <= 9; ++value) run->write(1, kX, kRelaxed, value);
  EXPECT_EQ(run->could_read(1, kX, kRelaxed), Values{9});
  EXPECT_FALSE(run->histories.cut()) << "nobody missed anything";
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{9, 8, 7, 6}));
  EXPECT_TRUE(run->histories.cut());
}

TEST(StoreHistories, MemoryThatSomebodyElseWroteBeginsAnew) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->memory[kX] = 7;
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{7});
  run->write(1, kX, kRelaxed, 8);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), (Values{8, 7}));
}

TEST(StoreHistories, ForgetTouchesWhatIsInTheRangeOnly) {
  auto run = litmus();
  for (const std::uint64_t address : {kX - 4, kX, kX + 4, kX + 0x100000}) {
    run->write(1, address, kRelaxed, 1);
    run->write(1, address, kRelaxed, 2);
  }
  run->histories.forget(kX, 4);
  EXPECT_EQ(run->histories.locations(), 3U);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{2});
  EXPECT_EQ(run->could_read(2, kX - 4, kRelaxed), (Values{2, 1, 0}));
  EXPECT_EQ(run->could_read(2, kX + 4, kRelaxed), (Values{2, 1, 0}));
  run->histories.forget(0, 0x10000000);
  EXPECT_EQ(run->histories.locations(), 0U);
}

TEST(StoreHistories, WhatIsPublishedIsTheOnlyStoreAndReleases) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  run->memory[kY] = 1;
  run->histories.publish(1, kY, 4, AtomicValue{1, 0});
  EXPECT_EQ(run->could_read(2, kY, kAcquire), Values{1});
  run->read(2, kY, kAcquire, 1);
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{1});
}

TEST(StoreHistories, ALoopIsNotShownTheSameOldStoreForEver) {
  auto run = litmus();
  run->write(1, kX, kRelaxed, 1);
  int rounds = 0;
  while (run->could_read(2, kX, kRelaxed).size() > 1) {
    run->read(2, kX, kRelaxed, 0);
    ASSERT_LT(++rounds, 100);
  }
  EXPECT_EQ(run->could_read(2, kX, kRelaxed), Values{1});
  EXPECT_EQ(run->could_read(3, kX, kRelaxed), (Values{1, 0}));
}

TEST(StoreHistories, ALoopOverManyLocationsIsNotShownOldStoresForEver) {
  auto run = litmus();
  constexpr std::uint64_t kLocations = 20;
  for (std::uint64_t i = 0; i < kLocations; ++i) run->write(1, kX + i * 8, kRelaxed, 1);
  int rounds = 0;
  for (bool old = true; old;) {
    ASSERT_LT(++rounds, 1000);
    old = false;
    for (std::uint64_t i = 0; i < kLocations; ++i) {
      if (run->could_read(2, kX + i * 8, kRelaxed).size() == 1) continue;
      run->read(2, kX + i * 8, kRelaxed, 0);
      old = true;
    }
  }
  for (std::uint64_t i = 0; i < kLocations; ++i) EXPECT_EQ(run->could_read(2, kX + i * 8, kRelaxed), Values{1});
}

TEST(StoreHistories, ClocksAreGivenBack) {
  auto run = litmus();
  for (int round = 0; round < 100; ++round) {
    for (TaskId task = 1; task <= 4; ++task) {
      run->modify(task, kX, kAcqRel, static_cast<std::uint64_t>(round));
      run->write(task, kY, kRelease, static_cast<std::uint64_t>(round));
      run->fence(task, kRelease);
      run->modify(task, kY, kRelaxed, 1000U + task);
      run->read(task, kY, kRelaxed, 1000U + task);
      run->fence(task, kAcquire);
    }
  }
  const std::size_t bytes = run->order.bytes();
  for (int round = 0; round < 1000; ++round) {
    for (TaskId task = 1; task <= 4; ++task) {
      run->modify(task, kX, kAcqRel, static_cast<std::uint64_t>(round));
      run->write(task, kY, kRelease, static_cast<std::uint64_t>(round));
      run->fence(task, kRelease);
      run->modify(task, kY, kRelaxed, 1000U + task);
      run->read(task, kY, kRelaxed, 1000U + task);
      run->fence(task, kAcquire);
    }
  }
  EXPECT_EQ(run->order.bytes(), bytes);
}

TEST(StoreHistories, OrderThatMayBeThereLeavesNoOldStore) {
  Litmus program;
  program.write(1, kX, kRelaxed, 1);
  EXPECT_EQ(program.could_read(2, kX, kRelaxed), (Values{1, 0}));
  program.hidden.pass(1, 1, 0);
  program.hidden.pass(2, 1, 0);
  EXPECT_EQ(program.could_read(2, kX, kRelaxed), (Values{1}));
  EXPECT_EQ(program.could_read(3, kX, kRelaxed), (Values{1, 0})) << "T3 was not there";
}

}  // namespace
}  // namespace ravel
