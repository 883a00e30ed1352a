// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of the locks a task holds (Task::held), for deadlock reports and for leak-of-lock.
#pragma once

#include <cstdint>

#include "runtime/scheduler/task.h"

namespace ravel {

// Called by the running task, in the call that the program made at `pc`.
void add_held_lock(Task& task, std::uint64_t lock, std::uint64_t pc, bool shared = false);

// The frames of the running task above the call that the program made at `pc`, innermost first, 0-terminated when
// fewer.
void record_lock_frames(const Task& task, std::uint64_t pc, std::uint64_t (&frames)[HeldLocks::kFrames]);

// Forgets the newest entry for this lock. One that was not kept (beyond the capacity) is only counted.
void remove_held_lock(Task& task, std::uint64_t lock);

bool holds_lock(const Task& task, std::uint64_t lock);

inline std::uint32_t kept_locks(const HeldLocks& held) {
  return held.count < HeldLocks::kCapacity ? held.count : HeldLocks::kCapacity;
}

}  // namespace ravel
