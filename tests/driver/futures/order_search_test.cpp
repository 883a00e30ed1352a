// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/order_search.h"

#include <gtest/gtest.h>

#include "driver/futures/order_proof.h"
#include "tests/driver/futures/small_execution.h"

namespace ravel {
namespace {

OrderFound one(const ObservedExecution& seen, std::size_t read, std::int64_t write,
               OtherReads others = OtherReads::same_write) {
  const ReadChoice choice{read, write};
  return find_order(seen, std::span(&choice, 1), others);
}

std::int64_t event(std::size_t i) { return static_cast<std::int64_t>(i); }

TEST(OrderSearch, FindsAnOrderInWhichTheReadSeesTheOtherWrite) {
  SmallExecution made;
  const std::size_t first = made.write(1, "n", 1);
  const std::size_t second = made.write(2, "n", 2);
  const std::size_t read = made.read(3, "n", 3);
  const OrderFound found = one(made.seen, read, event(first));
  ASSERT_EQ(found.answer, OrderAnswer::found);
  EXPECT_EQ(sources_in(made.seen, found.order)[read], event(first));
  EXPECT_EQ(one(made.seen, read, kInitialValue).answer, OrderAnswer::found);
  EXPECT_EQ(one(made.seen, read, event(second)).answer, OrderAnswer::found);
}

TEST(OrderSearch, AWriteThatIsOverwrittenInItsSectionIsNotVisible) {
  SmallExecution made;
  made.lock(1, 9, 1);
  const std::size_t hidden = made.write(1, "a", 2);
  const std::size_t last = made.write(1, "a", 3);
  made.unlock(1, 9, 4);
  made.lock(2, 9, 5);
  const std::size_t read = made.read(2, "a", 6);
  made.unlock(2, 9, 7);
  EXPECT_EQ(one(made.seen, read, event(hidden), OtherReads::anything).answer, OrderAnswer::impossible);
  EXPECT_EQ(one(made.seen, read, event(last), OtherReads::anything).answer, OrderAnswer::found);
  EXPECT_EQ(one(made.seen, read, kInitialValue, OtherReads::anything).answer, OrderAnswer::found);
}

TEST(OrderSearch, OtherReadsKeepWhatTheySaw) {
  // The reader sees the flag, then the data: if the flag stays as it was, the data cannot be older.
  SmallExecution made;
  made.write(1, "data", 1);
  made.write(1, "flag", 2);
  made.read(2, "flag", 3);
  const std::size_t data = made.read(2, "data", 4);
  EXPECT_EQ(one(made.seen, data, kInitialValue).answer, OrderAnswer::impossible);
  EXPECT_EQ(one(made.seen, data, kInitialValue, OtherReads::written_stays_written).answer, OrderAnswer::impossible);
  EXPECT_EQ(one(made.seen, data, kInitialValue, OtherReads::anything).answer, OrderAnswer::found);
}

TEST(OrderSearch, TasksRunAfterTheirCreationAndBeforeTheirJoin) {
  SmallExecution made;
  made.write(0, "n", 1);
  made.sync(0, OperationKind::task_create, 1, 2);
  const std::size_t inside = made.read(1, "n", 3);
  const std::size_t write = made.write(1, "n", 4);
  made.sync(1, OperationKind::task_end, 0, 5);
  made.sync(0, OperationKind::task_join, 1, 6);
  const std::size_t after = made.read(0, "n", 7);
  EXPECT_EQ(one(made.seen, inside, kInitialValue, OtherReads::anything).answer, OrderAnswer::impossible);
  EXPECT_EQ(one(made.seen, after, event(0), OtherReads::anything).answer, OrderAnswer::impossible);
  EXPECT_EQ(one(made.seen, after, event(write), OtherReads::anything).answer, OrderAnswer::found);
}

TEST(OrderSearch, NobodyLeavesABarrierBeforeAllHaveCome) {
  SmallExecution made;
  const std::size_t write = made.write(1, "n", 1);
  made.sync(1, OperationKind::barrier_wait, 5, 2, 0);
  made.sync(2, OperationKind::barrier_wait, 5, 3, 0);
  made.sync(1, OperationKind::barrier_wait, 5, 2, 1);
  made.sync(2, OperationKind::barrier_wait, 5, 3, 1);
  const std::size_t read = made.read(2, "n", 4);
  EXPECT_EQ(one(made.seen, read, kInitialValue, OtherReads::anything).answer, OrderAnswer::impossible);
  EXPECT_EQ(one(made.seen, read, event(write), OtherReads::anything).answer, OrderAnswer::found);
}

TEST(OrderSearch, SemaphoresCount) {
  SmallExecution made;
  made.write(1, "n", 1);
  made.sync(1, OperationKind::semaphore_post, 5, 2);
  made.sync(2, OperationKind::semaphore_wait, 5, 3);
  const std::size_t read = made.read(2, "n", 4);
  EXPECT_EQ(one(made.seen, read, kInitialValue, OtherReads::anything).answer, OrderAnswer::impossible);
}

// Figure 7 of the paper: under one lock, a and b come from one writer.
SmallExecution figure_7(std::uint64_t other_lock, ReadChoice& a, ReadChoice& b) {
  SmallExecution made;
  made.lock(2, 9, 10);
  made.write(2, "a", 11);
  const std::size_t b2 = made.write(2, "b", 12);
  made.unlock(2, 9, 13);
  made.lock(1, other_lock, 1);
  const std::size_t a1 = made.write(1, "a", 2);
  made.write(1, "b", 3);
  made.unlock(1, other_lock, 4);
  made.lock(2, 9, 14);
  a = {made.read(2, "a", 15), event(a1)};
  b = {made.read(2, "b", 16), event(b2)};
  made.unlock(2, 9, 17);
  return made;
}

TEST(OrderProof, NamesTheCycleOfFigureSeven) {
  ReadChoice choices[2];
  const SmallExecution made = figure_7(9, choices[0], choices[1]);
  EXPECT_EQ(find_order(made.seen, choices, OtherReads::anything).answer, OrderAnswer::impossible);
  const auto cycle = find_cycle(made.seen, choices);
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->front().before, cycle->back().after);
  const std::string text = cycle_text(made.seen, *cycle);
  EXPECT_NE(text.find("lock order"), std::string::npos) << text;
  EXPECT_NE(text.find("T1 writes b at p.cpp:3"), std::string::npos) << text;
  EXPECT_NE(text.find("the read of T2 at p.cpp:16"), std::string::npos) << text;
}

TEST(OrderProof, WithDifferentLocksThereIsNone) {
  ReadChoice choices[2];
  const SmallExecution made = figure_7(8, choices[0], choices[1]);
  EXPECT_FALSE(find_cycle(made.seen, choices));
  EXPECT_EQ(find_order(made.seen, choices, OtherReads::anything).answer, OrderAnswer::found);
}

TEST(OrderProof, ACycleNeverSpeaksAgainstWhatHappened) {
  ReadChoice unused[2];
  const SmallExecution made = figure_7(9, unused[0], unused[1]);
  std::vector<ReadChoice> all;
  for (std::size_t i = 0; i < made.seen.events.size(); ++i) {
    if (made.seen.events[i].reads) all.push_back({i, made.seen.events[i].source});
  }
  EXPECT_FALSE(find_cycle(made.seen, all));
  EXPECT_EQ(find_order(made.seen, all, OtherReads::same_write).answer, OrderAnswer::found);
}

}  // namespace
}  // namespace ravel
