// SPDX-License-Identifier: Apache-2.0
// FreeWatch: who waits for whom in a really parallel run, seen from outside while it goes on. The threads of the target
// write down what they are in (trace/free_run.h); here is what follows from it.
//
// Two things are a deadlock:
//  1. A circle of waits: each thread waits without limit for a lock that the next one holds, or for its end. Seen
//     unchanged in two looks, because a look takes the threads one after the other.
//  2. Nobody can go on: every thread waits without limit for another one, for kStandstill.
// In both cases the kernel must agree that the threads sleep: one that has not come to its wait yet only wants a
// processor. And nothing from outside may be able to end the waits of the second case.
//
// Who calls it: NoiseRun, every Target::kLookEvery. Thread safety: one thread; the snapshot reads shared memory by
// atomic loads. Everything but take_snapshot() and kernel_view() is a pure function of its arguments.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "trace/channel.h"
#include "trace/free_run.h"

namespace ravel {

struct SeenLock {
  std::uint64_t object = 0;
  bool shared = false;  // held as a reader
  std::uint64_t pc = 0;

  friend bool operator==(const SeenLock&, const SeenLock&) = default;
};

struct SeenThread {
  TaskId task = kNoTask;
  FreeState state = FreeState::none;
  TaskId creator = kNoTask;
  std::int32_t thread = 0;
  std::uint64_t events = 0;
  std::uint64_t site = 0;
  // While blocked:
  OperationKind kind = OperationKind::read;
  bool timed = false;
  TaskId joins = kNoTask;
  std::uint64_t object = 0;
  std::uint64_t pc = 0;
  std::uint64_t create_pc = 0;
  std::vector<SeenLock> held;

  bool is_alive() const { return state != FreeState::none && state != FreeState::ended; }

  friend bool operator==(const SeenThread&, const SeenThread&) = default;
};

struct FreeSnapshot {
  std::vector<SeenThread> threads;  // by TaskId
};

FreeSnapshot take_snapshot(const FreeRun& run);

// What the kernel says about the process, asked only when a deadlock is suspected.
struct KernelView {
  std::function<bool(std::int32_t thread)> sleeps;
  // Something that is not in the snapshot could end a wait: a thread Ravel does not know, a child process, a handler of
  // a signal.
  std::function<bool(std::size_t known_threads)> can_be_woken_from_outside;
};
KernelView kernel_view(pid_t process);

// The threads of a circle of waits, each waiting for the next; empty when there is none.
std::vector<TaskId> circle_of_waits(const FreeSnapshot& snapshot);

// Every live thread waits without limit for something that only another thread can give.
bool nobody_can_go_on(const FreeSnapshot& snapshot);

// Who holds the lock that `thread` waits for, or whom it joins; kNoTask when that is not known.
TaskId holder_for(const FreeSnapshot& snapshot, const SeenThread& thread);

class FreeWatch {
 public:
  static constexpr std::chrono::milliseconds kTwoLooks{20};
  static constexpr std::chrono::milliseconds kStandstill{200};
  using Time = std::chrono::steady_clock::time_point;

  // True: the run is in a deadlock. Called with snapshots in the order they were taken.
  bool is_deadlocked(const FreeSnapshot& now, Time time, const KernelView& kernel);

 private:
  struct Since {
    SeenThread seen;
    Time time;
  };
  std::map<TaskId, Since> unchanged_;
};

// The finding that a run which had to be ended shows: a deadlock, or one that did not end in time; every live thread
// takes part, with its place. Those in the circle come first.
FindingRecord record_of(const FreeSnapshot& snapshot, FindingKind kind, const std::string& message);

// The threads as reports name tasks.
std::vector<TaskRecord> task_records_of(const FreeSnapshot& snapshot);

}  // namespace ravel
