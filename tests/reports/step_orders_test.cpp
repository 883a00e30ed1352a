// SPDX-License-Identifier: Apache-2.0
// What orders two steps: each kind with a trace that has it, and its twin that has not.
#include "reports/step_orders.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

class Trace {
 public:
  Trace& add(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t value = 0) {
    TraceEvent event;
    event.operation.task = task;
    event.operation.kind = kind;
    event.operation.object = object;
    event.operation.value = value;
    if (is_memory_access(kind)) event.operation.size = 4;
    events_.push_back(event);
    return *this;
  }
  Trace& with(MemoryOrder order) {
    events_.back().operation.order = order;
    return *this;
  }
  Trace& values(std::uint64_t before, std::uint64_t after) {
    events_.back().before = before;
    events_.back().after = after;
    events_.back().flags |= kTraceBeforeKnown | kTraceAfterKnown;
    return *this;
  }
  Trace& older() {
    events_.back().flags |= kTraceOlderStore;
    return *this;
  }
  std::vector<StepOrder> orders() const { return step_orders(events_); }

 private:
  std::vector<TraceEvent> events_;
};

using Orders = std::vector<StepOrder>;
constexpr std::uint64_t kObject = 0x1000;

TEST(StepOrders, CreationAndJoin) {
  const Trace trace = Trace()
                          .add(0, OperationKind::task_create, 1)
                          .add(1, OperationKind::task_start, 0)
                          .add(1, OperationKind::task_end, 0)
                          .add(0, OperationKind::task_join, 1);
  EXPECT_EQ(trace.orders(), (Orders{{0, 1, OrderKind::created}, {2, 3, OrderKind::joined}}));
}

TEST(StepOrders, ALockIsTakenAfterItsRelease) {
  const Trace trace = Trace()
                          .add(1, OperationKind::mutex_lock, kObject)
                          .add(1, OperationKind::mutex_unlock, kObject)
                          .add(1, OperationKind::mutex_lock, kObject)
                          .add(1, OperationKind::mutex_unlock, kObject)
                          .add(2, OperationKind::mutex_lock, kObject)
                          .add(2, OperationKind::mutex_lock, kObject + 8);
  EXPECT_EQ(trace.orders(), (Orders{{3, 4, OrderKind::lock}}));
}

TEST(StepOrders, AnAttemptCountsIfItSucceeded) {
  const auto attempt = [](bool succeeds) {
    Trace trace;
    trace.add(1, OperationKind::mutex_lock, kObject).add(1, OperationKind::mutex_unlock, kObject);
    trace.add(2, OperationKind::mutex_try_lock, kObject);
    if (succeeds) trace.add(2, OperationKind::mutex_unlock, kObject);
    return trace.orders();
  };
  EXPECT_EQ(attempt(true), (Orders{{1, 2, OrderKind::lock}}));
  EXPECT_EQ(attempt(false), Orders{});
}

TEST(StepOrders, ReadersAreOrderedOnlyWithWriters) {
  const Trace trace = Trace()
                          .add(1, OperationKind::rwlock_read_lock, kObject)
                          .add(1, OperationKind::rwlock_unlock, kObject, 1)
                          .add(2, OperationKind::rwlock_read_lock, kObject)
                          .add(2, OperationKind::rwlock_unlock, kObject, 1)
                          .add(3, OperationKind::rwlock_write_lock, kObject);
  EXPECT_EQ(trace.orders(), (Orders{{1, 4, OrderKind::lock}, {3, 4, OrderKind::lock}}));
}

TEST(StepOrders, BeginningToWaitReleasesTheMutex) {
  const Trace trace = Trace()
                          .add(1, OperationKind::condition_wait, kObject, 0x2000)
                          .add(2, OperationKind::mutex_lock, 0x2000)
                          .add(2, OperationKind::condition_signal, kObject)
                          .add(1, OperationKind::condition_wake, kObject);
  EXPECT_EQ(trace.orders(), (Orders{{0, 1, OrderKind::lock}, {2, 3, OrderKind::notified}}));
}

TEST(StepOrders, WhomANotificationOfOneWokeIsNotGuessed) {
  const auto notified = [](OperationKind kind) {
    return Trace()
        .add(1, OperationKind::condition_wait, kObject, 0x2000)
        .add(2, OperationKind::condition_wait, kObject, 0x2000)
        .add(0, kind, kObject)
        .add(2, OperationKind::condition_wake, kObject)
        .orders();
  };
  EXPECT_EQ(notified(OperationKind::condition_signal), Orders{});
  EXPECT_EQ(notified(OperationKind::condition_broadcast), (Orders{{2, 3, OrderKind::notified}}));
}

TEST(StepOrders, SemaphoresBarriersAndOnce) {
  const Trace trace = Trace()
                          .add(1, OperationKind::semaphore_post, kObject)
                          .add(2, OperationKind::semaphore_wait, kObject)
                          .add(1, OperationKind::barrier_wait, 0x2000)
                          .add(2, OperationKind::barrier_wait, 0x2000)
                          .add(1, OperationKind::barrier_wait, 0x2000, 1)
                          .add(1, OperationKind::once_end, 0x3000)
                          .add(2, OperationKind::once_begin, 0x3000);
  EXPECT_EQ(trace.orders(),
            (Orders{{0, 1, OrderKind::semaphore}, {3, 4, OrderKind::barrier}, {5, 6, OrderKind::once}}));
}

TEST(StepOrders, AnAcquireReadsWhatAReleaseWrote) {
  const auto message = [](MemoryOrder store, MemoryOrder load) {
    return Trace()
        .add(1, OperationKind::atomic_store, kObject)
        .with(store)
        .add(2, OperationKind::atomic_load, kObject)
        .with(load)
        .orders();
  };
  EXPECT_EQ(message(MemoryOrder::release, MemoryOrder::acquire), (Orders{{0, 1, OrderKind::atomic}}));
  EXPECT_EQ(message(MemoryOrder::relaxed, MemoryOrder::acquire), (Orders{{0, 1, OrderKind::value}}));
  EXPECT_EQ(message(MemoryOrder::release, MemoryOrder::relaxed), (Orders{{0, 1, OrderKind::value}}));
}

TEST(StepOrders, WhatWasAcquiredOnceIsNotDrawnAgain) {
  const Trace trace = Trace()
                          .add(1, OperationKind::atomic_store, kObject)
                          .add(2, OperationKind::atomic_load, kObject)
                          .add(2, OperationKind::atomic_load, kObject)
                          .add(3, OperationKind::atomic_load, kObject);
  EXPECT_EQ(trace.orders(), (Orders{{0, 1, OrderKind::atomic}, {0, 2, OrderKind::value}, {0, 3, OrderKind::atomic}}));
}

TEST(StepOrders, AReleaseSequenceGoesOnThroughExchanges) {
  const Trace trace = Trace()
                          .add(1, OperationKind::atomic_store, kObject)
                          .with(MemoryOrder::release)
                          .add(3, OperationKind::atomic_rmw, kObject)
                          .with(MemoryOrder::relaxed)
                          .add(2, OperationKind::atomic_load, kObject)
                          .with(MemoryOrder::acquire);
  EXPECT_EQ(trace.orders(), (Orders{{0, 1, OrderKind::value}, {0, 2, OrderKind::atomic}}));
}

TEST(StepOrders, AnOlderStoreIsNotTheLatest) {
  const Trace trace =
      Trace().add(1, OperationKind::atomic_store, kObject).add(2, OperationKind::atomic_load, kObject).older();
  EXPECT_EQ(trace.orders(), Orders{});
}

TEST(StepOrders, AReadSeesTheWriteOfItsValue) {
  const auto seen = [](std::uint64_t value) {
    return Trace()
        .add(1, OperationKind::write, kObject)
        .values(0, 7)
        .add(2, OperationKind::read, kObject)
        .values(value, value)
        .orders();
  };
  EXPECT_EQ(seen(7), (Orders{{0, 1, OrderKind::value}}));
  EXPECT_EQ(seen(8), Orders{}) << "something that was not traced wrote in between";
}

TEST(StepOrders, AnExchangeThatFailedWroteNothing) {
  const Trace trace = Trace()
                          .add(1, OperationKind::write, kObject)
                          .values(0, 7)
                          .add(3, OperationKind::atomic_cas, kObject)
                          .values(7, 7)
                          .add(2, OperationKind::read, kObject)
                          .values(7, 7);
  EXPECT_EQ(trace.orders(), (Orders{{0, 1, OrderKind::value}, {0, 2, OrderKind::value}}));
}

}  // namespace
}  // namespace ravel
