// SPDX-License-Identifier: Apache-2.0
// Waits for the outside world: descriptors, child processes and signals. A task must not block the OS thread that
// carries all tasks, so it waits as for any other object, with a ready function that polls the kernel without blocking.
// So tasks that talk to each other through pipes and sockets just work; the process really waits only when no task can
// run.
//
// Before there is a second task the process just waits, as it would without us.
//
// Called on the running task; the list holds waits that live on the stacks of the waiting tasks.
#pragma once

#include <poll.h>
#include <sys/wait.h>

#include <cstdint>

#include "base/intrusive_list.h"
#include "runtime/interpose/points.h"

namespace ravel {

// All external waits share one key: whatever a task does to one descriptor may make any other ready.
inline constexpr std::uint64_t kExternalKey = 16;

struct ExternalWait {
  pollfd* descriptors = nullptr;
  nfds_t count = 0;
  bool for_child = false;  // a child process: which one, as waitid has it
  idtype_t child_kind = P_ALL;
  id_t child = 0;
  int child_options = 0;
  const Task* for_signals = nullptr;  // the task that waits for signals: any, or
  std::uint64_t awaited = 0;          // only these, if there are any
  ListLinks<ExternalWait> links;
};

// Waits until the kernel says that `wait` would not block. Turn::go also when a signal interrupts it (then is_ready is
// false). A cancellation point.
// `brief`: Wait::brief.
Turn reach_external(const Operation& operation, ExternalWait& wait, std::uint64_t deadline = kNever,
                    bool brief = false);

// Asks the kernel, without blocking.
bool is_ready(const ExternalWait& wait);

// A task did something to a descriptor or process: all waits check again.
void external_changed();

// Child processes that have not been waited for yet.
bool has_children();

// Does a task wait for something that somebody outside could bring about?
bool outside_may_act();

// The scheduler's hook when no task can go on. Waits really, up to `milliseconds` (negative: as long as it takes).
// False when nothing became ready, or when nobody outside could make it so.
bool wait_for_external(int milliseconds);

}  // namespace ravel
