// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/coverage.h"

#include <gtest/gtest.h>

#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kX = 0x1000;
constexpr std::uint64_t kLock = 0x2000;

TraceEvent event(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t pc) {
  TraceEvent one;
  one.operation.task = task;
  one.operation.kind = kind;
  one.operation.object = object;
  one.operation.pc = pc;
  return one;
}

class CoverageTest : public ::testing::Test {
 protected:
  std::uint32_t learn(const std::vector<TraceEvent>& trace) {
    ExecutionSummary summary;
    summary.tasks = 3;
    ExecutionView view{summary};
    view.trace = trace;
    return coverage_.learn(view);
  }
  CoverageResult result() const {
    CoverageResult filled;
    coverage_.fill(filled);
    return filled;
  }
  Coverage coverage_;
};

const TraceEvent kRead = event(1, OperationKind::read, kX, 10);
const TraceEvent kWrite = event(2, OperationKind::write, kX, 20);

TEST_F(CoverageTest, BothOrdersOfAConflictCount) {
  EXPECT_GT(learn({kWrite, kRead}), 0U);
  EXPECT_EQ(result().conflict_orders, 1U);
  EXPECT_EQ(result().conflict_orders_possible, 2U);
  EXPECT_GT(learn({kRead, kWrite}), 0U);
  EXPECT_EQ(result().conflict_orders, 2U);
}

TEST_F(CoverageTest, TheSameExecutionShowsNothingNew) {
  learn({kWrite, kRead});
  EXPECT_EQ(learn({kWrite, kRead}), 0U);
}

TEST_F(CoverageTest, WhatAReadSeesCounts) {
  learn({kWrite, kRead});
  EXPECT_EQ(result().reads_from_pairs, 1U);
  learn({kRead, kWrite});
  EXPECT_EQ(result().reads_from_pairs, 2U) << "it also reads what was there before";
}

TEST_F(CoverageTest, GivingALockBackHasNoOrderToChoose) {
  const TraceEvent take_a = event(1, OperationKind::mutex_lock, kLock, 1);
  const TraceEvent give_a = event(1, OperationKind::mutex_unlock, kLock, 2);
  const TraceEvent take_b = event(2, OperationKind::mutex_lock, kLock, 3);
  const TraceEvent give_b = event(2, OperationKind::mutex_unlock, kLock, 4);
  learn({take_a, give_a, take_b, give_b});
  EXPECT_EQ(result().conflict_orders_possible, 2U) << "who takes it first";
  learn({take_b, give_b, take_a, give_a});
  EXPECT_EQ(result().conflict_orders, 2U);
}

// Every address is a separate function.
class Names final : public SymbolSource {
 public:
  const std::vector<Frame>& code(std::uint64_t address, AddressKind) override {
    Frame frame;
    frame.function = "f" + std::to_string(address);
    frame.file = "f.cpp";
    frame.line = 1;
    frames_ = {frame};
    return frames_;
  }
  const DataName& data(std::uint64_t, std::uint64_t) override { return name_; }
  const DataName& thread_local_data(std::uint64_t, std::uint64_t) override { return name_; }
  const DataName& local_data(const StackFrame&, std::uint64_t, std::uint64_t) override { return name_; }
  bool is_signal_return(std::uint64_t) override { return false; }

 private:
  std::vector<Frame> frames_;
  DataName name_;
};

TEST_F(CoverageTest, AFunctionIsInterruptedWhereItsTaskGoesOn) {
  learn({event(1, OperationKind::read, kX, 10), event(2, OperationKind::write, kX, 20),
         event(1, OperationKind::read, kX, 11)});
  Names names;
  EXPECT_FALSE(coverage_.name_functions(names, Coverage::Clock::now()));
  EXPECT_EQ(result().functions, 0U) << "what could not be counted to the end is not told";
  EXPECT_TRUE(coverage_.name_functions(names, Coverage::Clock::time_point::max()));
  EXPECT_EQ(result().functions, 3U);
  EXPECT_EQ(result().interrupted_functions, 1U) << "the task stood before 11 when the other ran";
  EXPECT_EQ(result().function_pairs, 1U);
}

}  // namespace
}  // namespace ravel
