// SPDX-License-Identifier: Apache-2.0
// FreeWatch: who waits for whom in a parallel run, observed from outside while it runs. The threads of the target
// record what they are doing (trace/free_run.h); this draws the conclusions.
//
// Two things are a deadlock:
//  1. A cycle of waits: each thread waits without limit for a lock that the next one holds, or for its end. Seen
//     unchanged in two snapshots, because a snapshot reads the threads one after the other.
//  2. No thread can continue: every thread waits without limit for another one, for kStandstill.
// In both cases the kernel must agree that the threads sleep: one that has not reached its wait yet only needs a
// processor. And nothing from outside may be able to end the waits of the second case.
//
// Who calls it: NoiseCampaign, every Target::kLookEvery. Thread safety: one thread; the snapshot reads shared memory by
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

// What the kernel says about the process, queried only when a deadlock is suspected.
struct KernelView {
  std::function<bool(std::int32_t thread)> sleeps;
  // Something that is not in the snapshot could end a wait: a thread that Ravel does not know, a child process, a
  // signal handler.
  std::function<bool(std::size_t known_threads)> can_be_woken_from_outside;
};
KernelView kernel_view(pid_t process);

// The threads of a cycle of waits, each waiting for the next; empty when there is none.
std::vector<TaskId> cycle_of_waits(const FreeSnapshot& snapshot);

// Every live thread waits without limit for something that only another thread can give.
bool all_are_blocked(const FreeSnapshot& snapshot);

// The thread that holds the lock `thread` waits for, or that it joins; kNoTask when unknown.
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

// The finding of a run that had to be ended: a deadlock, or a run that did not end in time. Every live thread takes
// part, with its place. Those in the cycle come first.
FindingRecord record_of(const FreeSnapshot& snapshot, FindingKind kind, const std::string& message);

// The threads in the form in which reports name tasks.
std::vector<TaskRecord> task_records_of(const FreeSnapshot& snapshot);

}  // namespace ravel
