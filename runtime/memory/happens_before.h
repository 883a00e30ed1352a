// SPDX-License-Identifier: Apache-2.0
//
// HappensBefore: which task knows of which task's past. One vector clock per task; snapshots of them travel through
// locks, atomics and the other ways in which tasks synchronise. Ravel's own scheduling adds no edge: clocks advance
// only by what the program does.
//
// Who calls it: runtime/interpose/sync_edges for synchronisation; RaceDetector and StoreHistories for the question
// "does this happen before what the task does now?".
//
// How clocks are kept. A task's own clock ticks after every snapshot that is taken of it, so (task, clock) names the
// stretch between two of its releases: an Epoch. A task that knows of an epoch knows everything its task knew at its
// end. A snapshot (ReleaseClock) is a frozen clock shared by all snapshots between which the task learned nothing, plus
// the task's own component: a release by a task that acquired nothing new costs no copy, and an acquire of what is
// known already costs one comparison.
//
// The clocks of the first tasks are close together, since a page first touched by an execution costs more than hundreds
// of operations. When there are more tasks, all clocks move to rows that have room for all of them.
//
// Component 0 of a clock is not a task: it is the number of the latest seq_cst fence that happens before
// (StoreHistories numbers them). It travels like any other.
//
// Thread safety: none; only the running task calls.
//
// Invariants:
//  1. A frozen clock never changes. It is released with its last reference.
//  2. clock(t)[t] is greater than t's component in every snapshot of t taken so far.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/memory/growing_table.h"
#include "runtime/memory/open_table.h"

namespace ravel {

// A stretch of one task's execution. 0: none.
class Epoch {
 public:
  static constexpr unsigned kClockBits = 24;
  static constexpr unsigned kTaskBits = 14;
  static constexpr std::uint32_t kLastClock = (1U << kClockBits) - 1;
  static_assert(kMaxTasks <= (1U << kTaskBits));

  constexpr Epoch() = default;
  constexpr Epoch(TaskId task, std::uint32_t clock) : bits_((std::uint64_t{task} << kClockBits) | clock) {}
  constexpr TaskId task() const { return static_cast<TaskId>(bits_ >> kClockBits); }
  constexpr std::uint32_t clock() const { return static_cast<std::uint32_t>(bits_) & kLastClock; }
  constexpr std::uint64_t bits() const { return bits_; }
  static constexpr Epoch from_bits(std::uint64_t bits) {
    Epoch epoch;
    epoch.bits_ = bits;
    return epoch;
  }
  constexpr explicit operator bool() const { return bits_ != 0; }
  friend constexpr bool operator==(Epoch, Epoch) = default;

 private:
  std::uint64_t bits_ = 0;  // clocks start at 1, so no epoch of a task is 0
};

// Number of a frozen clock; 0: the empty one. Owned: see HappensBefore::keep and drop.
using ClockId = std::uint32_t;

// What a release leaves for those who acquire it: a frozen clock, and one task's component on top. Plain data; code
// that stores one owns a reference to `base`.
struct ReleaseClock {
  ClockId base = 0;
  TaskId task = kNoTask;  // kNoTask: nothing on top
  std::uint32_t clock = 0;

  explicit operator bool() const { return base != 0 || task != kNoTask; }
};

class HappensBefore {
 public:
  // Reserves address space. Once, before any fork.
  void prepare();
  bool prepared() const { return clocks_ != nullptr; }

  // -- tasks ----------------------------------------------------------------------------------------------------------

  // T0 exists from the start. The creator's past is the child's.
  void task_created(TaskId child, TaskId creator);
  // The joiner knows all that `task`, which has ended, did.
  void task_joined(TaskId task, TaskId joiner);
  std::uint32_t tasks() const { return tasks_; }

  Epoch now(TaskId task) const { return Epoch(task, clock_of(task)[task + 1]); }
  // Where the clock of now(task) is in memory, until the next task is created.
  const std::uint32_t* own_clock(TaskId task) const { return clock_of(task) + task + 1; }
  std::uint32_t known(TaskId task, TaskId of) const { return clock_of(task)[of + 1]; }
  bool before(Epoch epoch, TaskId task) const { return epoch.clock() <= clock_of(task)[epoch.task() + 1]; }

  // Everything that any task did so far is known to `task`: nothing is unordered with what it does alone.
  bool knows_all(TaskId task) const;

  // -- synchronisation by an object: key is its address, or a number near it for a second clock of the same object ----

  void acquire(TaskId task, std::uint64_t key);
  // Adds the task's past to the object's (semaphores, barriers, read unlocks, annotations).
  void release(TaskId task, std::uint64_t key);
  // The object's past becomes the task's (locks: the task has acquired the object before).
  void release_store(TaskId task, std::uint64_t key);
  // The object is a new one.
  void forget(std::uint64_t key);

  // -- for atomics ----------------------------------------------------------------------------------------------------

  // The task's past, for others to acquire. The caller owns a reference; the task's clock ticks.
  ReleaseClock snapshot(TaskId task) {
    ReleaseClock clock;
    publish(task, clock);
    return clock;
  }
  void join(TaskId task, const ReleaseClock& clock);
  // The past of both. The caller owns a reference to the result; `a` and `b` keep theirs.
  ReleaseClock merge(const ReleaseClock& a, const ReleaseClock& b);
  void keep(const ReleaseClock& clock) { keep(clock.base); }
  void drop(const ReleaseClock& clock) { drop(clock.base); }
  // Is the epoch part of the past that `clock` stands for?
  bool before(Epoch epoch, const ReleaseClock& clock) const;
  // Adds that past to the components of a clock of somebody else's; tells which tasks' were raised.
  template <typename Raised>
  void raise(std::uint32_t* components, const ReleaseClock& clock, Raised raised) const {
    const auto to = [&](std::uint32_t place, std::uint32_t value) {
      if (value <= components[place]) return;
      components[place] = value;
      if (place != 0) raised(place - 1);
    };
    if (clock.base != 0) {
      const Frozen& base = frozen(clock.base);
      for (std::uint32_t i = 0; i < base.length; ++i) to(i, base.component()[i]);
    }
    if (clock.task != kNoTask) to(clock.task + 1, clock.clock);
  }

  // Component 0.
  std::uint32_t fence_number(TaskId task) const { return clock_of(task)[0]; }
  void set_fence_number(TaskId task, std::uint32_t number);

  // A task's clock has reached its end: what follows cannot be judged any more.
  bool exhausted() const { return exhausted_; }

  // Bytes of frozen clocks allocated so far; those that are reused count once.
  std::size_t bytes() const { return used_bytes_; }

 private:
  struct Frozen {
    std::uint32_t references;
    std::uint32_t length;      // components that follow
    std::uint32_t size_class;  // capacity is 8 << size_class
    std::uint32_t next_free;   // while it is free

    std::uint32_t* component() { return &next_free + 1; }  // they follow in memory
    const std::uint32_t* component() const { return &next_free + 1; }
  };
  struct alignas(16) FrozenPart {  // what a ClockId counts
    char bytes[16];
  };
  struct TaskState {
    ClockId published;  // frozen copy of the task's clock, but for its own component; owned
    bool learned;       // since then
  };

  static constexpr std::size_t kClasses = 12;    // up to 16384 + 1 components, rounded up
  static constexpr std::size_t kNarrowRow = 64;  // components; for fewer tasks than that
  static constexpr std::size_t kWideRow = kMaxTasks + 64;
  static constexpr std::size_t kMostFrozen = std::size_t{1} << 28;

  std::uint32_t* clock_of(TaskId task) const { return clocks_ + std::size_t{task} * row_; }
  Frozen& frozen(ClockId id) const { return *reinterpret_cast<Frozen*>(&frozen_[id]); }
  std::uint32_t length() const { return tasks_ + 1; }
  void publish(TaskId task, ReleaseClock& into);
  ClockId allocate(std::uint32_t length);
  void keep(ClockId id) {
    if (id != 0) ++frozen(id).references;
  }
  void drop(ClockId id);
  void learn(TaskId task, const std::uint32_t* components, std::uint32_t count);
  void raise(TaskId task, TaskId of, std::uint32_t clock);
  void tick(TaskId task);
  void widen();

  std::uint32_t* clocks_ = nullptr;  // by task, row_ components each
  std::uint32_t* wide_ = nullptr;    // where the clocks are when there are many tasks
  std::size_t row_ = kNarrowRow;
  TaskState* states_ = nullptr;  // by task
  GrowingTable<FrozenPart> frozen_;
  std::size_t used_bytes_ = 16;  // id 0 is not used
  ClockId free_[kClasses] = {};
  std::uint32_t tasks_ = 1;
  bool exhausted_ = false;
  OpenTable<ReleaseClock> objects_;
};

}  // namespace ravel
