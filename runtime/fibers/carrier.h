// SPDX-License-Identifier: Apache-2.0
// Carrier: how tasks run. Exactly one task runs at a time; switch_to hands over and returns when another task hands
// back.
//
// Two carriers, chosen at launch:
//   fiber   all tasks on one OS thread. Each borrows the identity (FS base: TLS, pthread_self, errno, allocator caches)
//           of a donor pthread that is parked forever. Donors are prepared before the fork; in the child only their
//           memory is needed, not their OS threads.
//   thread  each task is an OS thread; a baton (futex) says whose turn it is. For gdb and for comparison.
//
// Thread safety: called by the running task only. Ground rules of code inside the target apply.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "base/intrusive_list.h"

namespace ravel {

// What a carrier keeps per task. Lives as long as the process.
struct CarrierContext {
  void* stack_pointer = nullptr;  // fiber: saved while it does not run
  std::uint64_t fs_base = 0;      // fiber: its identity
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
  pthread_t handle = 0;
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  bool made_late = false;          // fiber: its donor was not among those prepared
  bool stack_is_programs = false;  // given to pthread_create: the program may use the memory otherwise afterwards
  std::uint64_t tls_low = 0;       // variables of modules that were there at the start; others get theirs from the heap
  std::uint64_t tls_high = 0;
  std::uint64_t signal_mask = 0;     // thread: what it starts with; bit n-1 is signal n
  std::uint32_t baton = 0;           // thread: 1 when it may run
  std::uint32_t parked = 0;          // fiber: the donor has published its identity
  ListLinks<CarrierContext> unused;  // fiber: no task has it yet
};

// Called once on every new identity, with that identity's TLS in place: marks the OS thread as a task's.
using IdentityHook = void (*)();

class Carrier {
 public:
  // Once, on the main thread, before anything else.
  virtual CarrierContext& adopt_main(IdentityHook hook) = 0;

  // Once, before the fork: prepares `count` identities.
  virtual void prepare(std::uint32_t count) = 0;

  // In the forked child, before any task is created.
  virtual void after_fork() = 0;

  // A new task that will call entry(argument) when it is first switched to. `attributes` as given to pthread_create, or
  // null. Returns null and sets *error (an errno value) when the system refuses.
  virtual CarrierContext* create(const pthread_attr_t* attributes, void (*entry)(void*), void* argument,
                                 int* error) = 0;

  // Hands over from the running task to `to`; returns when this task is switched to again.
  virtual void switch_to(CarrierContext& from, CarrierContext& to) = 0;

 protected:
  ~Carrier() = default;
};

Carrier& fiber_carrier();
Carrier& thread_carrier();

}  // namespace ravel
