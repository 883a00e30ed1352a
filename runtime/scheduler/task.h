// SPDX-License-Identifier: Apache-2.0
// Task: one thread of the program as Ravel sees it. Owned by the Scheduler's task table, never freed within an
// execution. Zero-initialised memory is a valid unused Task: tables of them cost nothing until touched.
#pragma once

#include <sched.h>

#include <cstdint>

#include "base/intrusive_list.h"
#include "model/operation.h"

namespace ravel {

struct Task;
struct CarrierContext;

// Return addresses of the instrumented functions a task is in (from __tsan_func_entry/exit): a stack without unwinding.
struct ShadowStack {
  static constexpr std::uint32_t kDepth = 1024;  // deeper calls are counted, not kept
  static constexpr std::uint32_t kCalls = 64;    // calls inside that many other ones that are points are none
  // A call that is a scheduling point where it begins and ends.
  struct Call {
    std::uint32_t depth;  // before it
    std::uint64_t pc;     // where it begins
  };
  std::uint32_t depth = 0;
  std::uint32_t calls = 0;
  std::uint64_t frames[kDepth] = {};
  Call call[kCalls] = {};  // outermost first

  void push(std::uint64_t pc) {
    if (depth < kDepth) frames[depth] = pc;
    ++depth;
  }
  // Where the function returns to; 0 when that is not known.
  std::uint64_t pop() {
    if (depth > 0) --depth;
    return depth < kDepth ? frames[depth] : 0;
  }
};

enum class TaskState : std::uint8_t { unused, live, ended };

// Locks a task holds, for reports and for leak-of-lock. Beyond the capacity they are counted, not kept.
struct HeldLocks {
  static constexpr std::uint32_t kCapacity = 32;
  std::uint32_t count = 0;
  std::uint64_t address[kCapacity] = {};
  // Where each was taken: return addresses, innermost first, 0-terminated when fewer. As ParticipantRecord::held_pc.
  static constexpr std::uint32_t kFrames = 6;
  std::uint64_t pc[kCapacity][kFrames] = {};
  bool shared[kCapacity] = {};  // held as a reader
};

// What the program asked of the system's scheduler: kept and told to who asks, without effect.
struct SchedulingRequests {
  bool has_policy = false;
  bool has_niceness = false;
  bool has_processors = false;
  bool has_io_priority = false;
  int policy = 0;
  int priority = 0;
  int niceness = 0;
  long io_priority = 0;
  cpu_set_t processors = {};
};

// State that belongs to primitives (runtime/interpose), kept here because it lives and dies with the task.
struct PrimitiveState {
  void* result = nullptr;  // what the task returned or gave to pthread_exit
  bool detached = false;
  bool joined = false;
  bool notified = false;  // a condition variable or futex waiter was chosen by a notify
  bool cancel_pending = false;
  bool cancel_disabled = false;
  bool cancel_asynchronous = false;
  bool exiting = false;              // inside pthread_exit or cancellation: no further cancellation
  void* thread_exit_list = nullptr;  // C++ thread_local destructors, newest first
  void* robust_list = nullptr;       // robust mutexes held, newest first
  void* once_list = nullptr;         // initialisation routines it is inside of, innermost first
  std::uint64_t wait_key = 0;        // Wait::key of the wait it is in: who must look again to be cancelled
  std::uint64_t waiting_on = 0;      // condition variable, futex or barrier in whose waiter queue it stands, or 0
  std::uint32_t futex_bitset = 0;    // which wakes concern it
  std::uint32_t joiner = 0;          // 1 + id of the task that waits in join for this one
  std::uint64_t signal_value = 0;    // of the latest pthread_sigqueue
  // Sets of signals: bit n-1 is signal n.
  std::uint64_t pending_signals = 0;  // sent to this task and not delivered yet
  std::uint64_t blocked_signals = 0;  // its mask
  std::uint64_t awaited_signals = 0;  // what it waits for in sigwait: those are not handed to handlers
  std::uint32_t in_handlers = 0;      // of signals that were delivered to it; these have the kernel's mask
  bool suspended = false;             // in pause or sigsuspend
  bool signal_has_value = false;
  bool interrupted = false;  // a signal was delivered since its wait began
  bool slept_short = false;  // its latest sleep was over at once
  char name[16] = {};        // pthread_setname_np
  SchedulingRequests asked;
};

// Begins at a page: most tasks touch only that one, and every page that an execution touches costs it a fault.
struct alignas(4096) Task {
  TaskId id = 0;
  TaskId creator = 0;
  TaskState state = TaskState::unused;
  unsigned long handle = 0;  // its pthread_t
  void* (*body)(void*) = nullptr;
  void* argument = nullptr;
  CarrierContext* context = nullptr;  // of the carrier
  std::uint64_t parked_frame = 0;     // frame pointer where it handed over, while it is parked
  // Where the program's own frames begin, while it is parked; 0 if that cannot be told. Found out when it is asked for.
  static constexpr std::uint64_t kNotAsked = 1;
  std::uint64_t program_frames = 0;
  PrimitiveState primitive;
  ListLinks<Task> waiting;  // in a waiter queue
  HeldLocks held;
  ShadowStack shadow;
};

}  // namespace ravel
