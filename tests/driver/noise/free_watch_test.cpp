// SPDX-License-Identifier: Apache-2.0
// Who waits for whom, decided on hand-written snapshots: no process, no clock.
#include "driver/noise/free_watch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace ravel {
namespace {

using std::chrono::milliseconds;
using Tasks = std::vector<TaskId>;

constexpr std::uint64_t kA = 0x1000;
constexpr std::uint64_t kB = 0x2000;

// Threads by what they are doing.
class Threads {
 public:
  SeenThread& add(FreeState state) {
    SeenThread& thread = snapshot.threads.emplace_back();
    thread.task = static_cast<TaskId>(snapshot.threads.size() - 1);
    thread.state = state;
    thread.thread = static_cast<std::int32_t>(100 + thread.task);
    return thread;
  }
  SeenThread& runs() { return add(FreeState::runs); }
  SeenThread& waits(OperationKind kind, std::uint64_t object = 0, std::vector<SeenLock> held = {}) {
    SeenThread& thread = add(FreeState::blocked);
    thread.kind = kind;
    thread.object = object;
    thread.held = std::move(held);
    return thread;
  }
  SeenThread& joins(TaskId other) {
    SeenThread& thread = waits(OperationKind::task_join, other);
    thread.joins = other;
    return thread;
  }

  FreeSnapshot snapshot;
};

SeenLock held(std::uint64_t lock, bool shared = false) { return {lock, shared, 0x77}; }

KernelView kernel(bool sleeps = true, bool outside = false) {
  return {[=](std::int32_t) { return sleeps; }, [=](std::size_t) { return outside; }};
}

// The same snapshot every 20 ms up to the limit; when was it a deadlock? -1: never.
int deadlocked_after(const FreeSnapshot& snapshot, int limit_ms, const KernelView& view = kernel()) {
  FreeWatch watch;
  const FreeWatch::Time start{};
  for (int ms = 0; ms <= limit_ms; ms += 20) {
    if (watch.is_deadlocked(snapshot, start + milliseconds(ms), view)) return ms;
  }
  return -1;
}

TEST(CycleOfWaits, TwoThreadsThatWantEachOthersLock) {
  Threads threads;
  threads.joins(1);
  threads.waits(OperationKind::mutex_lock, kB, {held(kA)});
  threads.waits(OperationKind::mutex_lock, kA, {held(kB)});
  EXPECT_EQ(cycle_of_waits(threads.snapshot), (Tasks{1, 2}));
  EXPECT_EQ(holder_for(threads.snapshot, threads.snapshot.threads[1]), 2U);
  EXPECT_EQ(deadlocked_after(threads.snapshot, 100), 20) << "two looks, no more";
}

TEST(CycleOfWaits, IsNoneWhenTheHolderGoesOn) {
  Threads threads;
  threads.waits(OperationKind::mutex_lock, kB, {held(kA)});
  threads.runs().held = {held(kB)};
  EXPECT_EQ(cycle_of_waits(threads.snapshot), Tasks{});
  EXPECT_EQ(deadlocked_after(threads.snapshot, 1000), -1);
}

TEST(CycleOfWaits, IsNoneWhenAWaitEndsByItself) {
  Threads threads;
  threads.waits(OperationKind::mutex_lock, kB, {held(kA)});
  threads.waits(OperationKind::mutex_timed_lock, kA, {held(kB)}).timed = true;
  EXPECT_EQ(cycle_of_waits(threads.snapshot), Tasks{});
  EXPECT_EQ(deadlocked_after(threads.snapshot, 1000), -1);
}

TEST(CycleOfWaits, GoesThroughJoins) {
  Threads threads;
  threads.joins(1).held = {held(kA)};
  threads.waits(OperationKind::mutex_lock, kA);
  EXPECT_EQ(cycle_of_waits(threads.snapshot), (Tasks{0, 1}));
}

TEST(CycleOfWaits, OneThreadThatWantsWhatItHolds) {
  Threads threads;
  threads.waits(OperationKind::mutex_lock, kA, {held(kA)});
  EXPECT_EQ(cycle_of_waits(threads.snapshot), Tasks{0});
}

TEST(CycleOfWaits, ReadersDoNotWaitForReaders) {
  Threads threads;
  threads.waits(OperationKind::rwlock_read_lock, kB, {held(kA, true)});
  threads.waits(OperationKind::rwlock_read_lock, kA, {held(kB, true)});
  EXPECT_EQ(cycle_of_waits(threads.snapshot), Tasks{});
  threads.snapshot.threads[0].kind = OperationKind::rwlock_write_lock;
  threads.snapshot.threads[1].kind = OperationKind::rwlock_write_lock;
  EXPECT_EQ(cycle_of_waits(threads.snapshot), (Tasks{0, 1}));
}

TEST(CycleOfWaits, ThreadsThatOnlyWantAProcessorAreNotStuck) {
  Threads threads;
  threads.waits(OperationKind::mutex_lock, kB, {held(kA)});
  threads.waits(OperationKind::mutex_lock, kA, {held(kB)});
  EXPECT_EQ(deadlocked_after(threads.snapshot, 1000, kernel(false)), -1);
}

TEST(CycleOfWaits, SpinningThreadsNeverSleep) {
  Threads threads;
  threads.waits(OperationKind::spin_lock, kB, {held(kA)});
  threads.waits(OperationKind::spin_lock, kA, {held(kB)});
  EXPECT_EQ(deadlocked_after(threads.snapshot, 100, kernel(false)), 20);
}

TEST(CycleOfWaits, MustBeSeenUnchanged) {
  Threads threads;
  threads.waits(OperationKind::mutex_lock, kB, {held(kA)});
  threads.waits(OperationKind::mutex_lock, kA, {held(kB)});
  FreeWatch watch;
  for (int look = 0; look < 20; ++look) {
    threads.snapshot.threads[0].events = static_cast<std::uint64_t>(look);  // it made progress meanwhile
    EXPECT_FALSE(watch.is_deadlocked(threads.snapshot, FreeWatch::Time{} + milliseconds(20 * look), kernel()));
  }
}

TEST(NobodyCanGoOn, EverybodyWaitsForANotification) {
  Threads threads;
  threads.joins(1);
  threads.waits(OperationKind::condition_wait, kA);
  threads.waits(OperationKind::semaphore_wait, kB);
  threads.add(FreeState::ended);
  EXPECT_TRUE(all_are_blocked(threads.snapshot));
  EXPECT_EQ(cycle_of_waits(threads.snapshot), Tasks{});
  EXPECT_EQ(deadlocked_after(threads.snapshot, 1000), 200);
}

TEST(NobodyCanGoOn, NotWhenSomebodyRunsOrIsDisturbedOrWaitsForTheWorld) {
  for (const int other : {0, 1, 2, 3}) {
    Threads threads;
    threads.waits(OperationKind::condition_wait, kA);
    if (other == 0) threads.runs();
    if (other == 1) threads.add(FreeState::disturbed);
    if (other == 2) threads.waits(OperationKind::io);
    if (other == 3) threads.waits(OperationKind::condition_timed_wait, kA).timed = true;
    EXPECT_FALSE(all_are_blocked(threads.snapshot)) << other;
    EXPECT_EQ(deadlocked_after(threads.snapshot, 1000), -1) << other;
  }
}

TEST(NobodyCanGoOn, NotWhenSomethingOutsideMayWakeThem) {
  Threads threads;
  threads.waits(OperationKind::semaphore_wait, kA);
  EXPECT_EQ(deadlocked_after(threads.snapshot, 1000, kernel(true, true)), -1);
}

TEST(NobodyCanGoOn, NobodyIsThereAnyMore) {
  Threads threads;
  threads.add(FreeState::ended);
  EXPECT_FALSE(all_are_blocked(threads.snapshot));
}

TEST(FreeRecord, TellsEverybodysPlaceAndTheCycleFirst) {
  Threads threads;
  threads.joins(1).pc = 0x10;
  threads.waits(OperationKind::mutex_lock, kB, {held(kA)}).pc = 0x11;
  threads.waits(OperationKind::mutex_lock, kA, {held(kB)}).pc = 0x12;
  threads.runs().site = 0x13;
  threads.add(FreeState::ended);
  const auto record = std::make_unique<FindingRecord>(record_of(threads.snapshot, FindingKind::deadlock, ""));
  ASSERT_EQ(record->participants, 4);
  EXPECT_EQ(record->participant[0].operation.task, 1U);
  EXPECT_EQ(record->participant[0].holder, 2U);
  EXPECT_EQ(record->participant[0].held[0], kA);
  EXPECT_EQ(record->participant[1].operation.task, 2U);
  EXPECT_EQ(record->participant[2].operation.object, 1U) << "a join names whom it waits for";
  EXPECT_EQ(record->participant[3].blocked, 0U);
  EXPECT_EQ(record->participant[3].stack.frames[0], 0x13U);
}

TEST(FreeSnapshotTest, ReadsWhatTheThreadsWroteDown) {
  // A FreeRun is far too large to copy: only its first pages are touched here.
  std::unique_ptr<FreeRun, void (*)(FreeRun*)> memory(static_cast<FreeRun*>(std::calloc(1, sizeof(FreeRun))),
                                                      [](FreeRun* p) { std::free(p); });
  FreeRun& free = *memory;
  free.threads = 2;
  free.thread[0].state = FreeState::runs;
  free.thread[1].state = FreeState::blocked;
  free.thread[1].kind = OperationKind::rwlock_write_lock;
  free.thread[1].object = kB;
  free.thread[1].held_count = 20;  // more than fit
  free.thread[1].held[0] = kA | 1;
  const FreeSnapshot snapshot = take_snapshot(free);
  ASSERT_EQ(snapshot.threads.size(), 2U);
  EXPECT_EQ(snapshot.threads[0].creator, kNoTask);
  EXPECT_EQ(snapshot.threads[1].object, kB);
  ASSERT_EQ(snapshot.threads[1].held.size(), 1U);
  EXPECT_EQ(snapshot.threads[1].held[0].object, kA);
  EXPECT_TRUE(snapshot.threads[1].held[0].shared);
}

}  // namespace
}  // namespace ravel
