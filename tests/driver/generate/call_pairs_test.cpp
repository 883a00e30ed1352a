// SPDX-License-Identifier: Apache-2.0
// Which calls of an execution can run at the same time. An execution is written as one step after the other.
#include "driver/generate/call_pairs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kDeposit = 0x100;
constexpr std::uint64_t kWithdraw = 0x200;
constexpr std::uint64_t kTransfer = 0x300;

class Execution {
 public:
  Execution& step(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t pc, std::uint64_t value = 0) {
    TraceEvent event;
    event.operation.kind = kind;
    event.operation.task = task;
    event.operation.object = object;
    event.operation.pc = pc;
    event.operation.value = value;
    event.operation.size = is_memory_access(kind) ? 4 : 0;
    event.enabled = 0xff;
    trace_.push_back(event);
    summary_.tasks = std::max(summary_.tasks, task + 1);
    return *this;
  }
  Execution& begin(TaskId task, std::uint64_t function, std::uint64_t depth = 0) {
    return step(task, OperationKind::call_begin, 0, function, depth);
  }
  Execution& end(TaskId task, std::uint64_t function, std::uint64_t depth = 0) {
    return step(task, OperationKind::call_end, 0, function, depth);
  }
  Execution& write(TaskId task, std::uint64_t object, std::uint64_t pc) {
    return step(task, OperationKind::write, object, pc);
  }
  Execution& call(TaskId task, std::uint64_t function, std::uint64_t object) {
    return begin(task, function).write(task, object, function + 1).end(task, function);
  }
  Execution& post(TaskId task) { return step(task, OperationKind::semaphore_post, 0x5000, 1); }
  Execution& wait(TaskId task) { return step(task, OperationKind::semaphore_wait, 0x5000, 2); }

  PartialOrder order() {
    ExecutionView view{summary_};
    view.trace = trace_;
    return PartialOrder(view);
  }
  std::vector<ParallelCalls> pairs() {
    return parallel_calls(order(), [](std::uint64_t) { return true; });
  }

 private:
  ExecutionSummary summary_;
  std::vector<TraceEvent> trace_;
};

std::string tasks_of(const std::vector<DecisionRun>& prefix) {
  std::string text;
  for (const DecisionRun& run : prefix) text += std::string(run.count, static_cast<char>('0' + run.value));
  return text;
}

TEST(CallPairs, CallsThatNothingOrdersCanRunAtTheSameTime) {
  // T1's call is over when T2's begins, but only by luck.
  const auto pairs = Execution().call(1, kDeposit, 0x1000).call(2, kWithdraw, 0x1000).pairs();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].functions[0], kDeposit);
  EXPECT_EQ(pairs[0].functions[1], kWithdraw);
  EXPECT_TRUE(pairs[0].innermost);
  EXPECT_EQ(pairs[0].window.steps, 0U);
}

TEST(CallPairs, CallsInOrderCannot) {
  EXPECT_TRUE(Execution().call(1, kDeposit, 0x1000).post(1).wait(2).call(2, kWithdraw, 0x1000).pairs().empty());
}

TEST(CallPairs, CallsThatShareNothingAreNotExplored) {
  EXPECT_TRUE(Execution().call(1, kDeposit, 0x1000).call(2, kWithdraw, 0x2000).pairs().empty());
}

TEST(CallPairs, TwoCallsOfOneTaskAreNoPair) {
  EXPECT_TRUE(Execution().call(1, kDeposit, 0x1000).call(1, kWithdraw, 0x1000).pairs().empty());
}

// T3 gives T2 its turn: that is needed. What T3 does afterwards is not, nor T1's earlier call of something else.
TEST(CallPairs, TheWayThereIsWhatHappensBeforeAndNothingElse) {
  const auto pairs = Execution()
                         .write(3, 0x3000, 7)
                         .post(3)
                         .write(3, 0x3000, 8)
                         .write(1, 0x4000, 9)
                         .call(1, kDeposit, 0x1000)
                         .wait(2)
                         .call(2, kWithdraw, 0x1000)
                         .pairs();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(tasks_of(pairs[0].window.prefix), "3312");
  EXPECT_EQ(pairs[0].window.steps, 4U);
}

// The first call lets the second begin, and goes on: they overlap, though they cannot begin together.
TEST(CallPairs, ACallMayBeInItsMiddleWhenTheOtherBegins) {
  const auto pairs = Execution()
                         .begin(1, kDeposit)
                         .post(1)
                         .write(1, 0x1000, 5)
                         .end(1, kDeposit)
                         .wait(2)
                         .call(2, kWithdraw, 0x1000)
                         .pairs();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(tasks_of(pairs[0].window.prefix), "112");
}

TEST(CallPairs, EqualPairsAreOne) {
  Execution execution;
  for (int i = 0; i < 5; ++i) execution.call(1, kDeposit, 0x1000).call(2, kWithdraw, 0x1000);
  EXPECT_EQ(execution.pairs().size(), 1U);
}

TEST(CallPairs, AnotherPathIsAnotherPair) {
  Execution execution;
  execution.call(1, kDeposit, 0x1000).call(2, kWithdraw, 0x1000);
  execution.begin(3, kWithdraw).write(3, 0x1000, kWithdraw + 1).write(3, 0x1000, kWithdraw + 2).end(3, kWithdraw);
  // Deposit with each of the two ways through withdraw, and these two with each other.
  EXPECT_EQ(execution.pairs().size(), 3U);
}

TEST(CallPairs, TheCallerOfACallIsAPairToo) {
  Execution execution;
  execution.begin(1, kTransfer).begin(1, kDeposit, 1).write(1, 0x1000, 5).end(1, kDeposit, 1);
  execution.write(1, 0x9000, 6).end(1, kTransfer);
  const auto pairs = execution.call(2, kWithdraw, 0x1000).pairs();
  ASSERT_EQ(pairs.size(), 2U);
  for (const ParallelCalls& pair : pairs) {
    const bool of_the_caller = pair.functions[1] == kTransfer;
    EXPECT_EQ(pair.innermost, !of_the_caller);
  }
}

TEST(CallPairs, ACallerThatDoesNothingElseIsNone) {
  Execution execution;
  execution.begin(1, kTransfer).begin(1, kDeposit, 1).write(1, 0x1000, 5).end(1, kDeposit, 1).end(1, kTransfer);
  const auto pairs = execution.call(2, kWithdraw, 0x1000).pairs();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].functions[0], kDeposit);
}

}  // namespace
}  // namespace ravel
