// SPDX-License-Identifier: Apache-2.0
//
// Lock order: which lock was wanted while which other one was held (Channel::lock_edge). The driver looks for cycles: a
// cycle is a deadlock that may happen although it did not in this execution.
//
// Who calls it: the lock operations, before a lock may have to wait; thread_operations, when tasks join; destroy
// operations and the heap, when locks go away. Try-locks and timed locks do not count: they give up.
//
// Cost: nothing for a task that holds no lock; otherwise one lookup per held lock.
//
// Thread safety: none; only the running task calls.
#pragma once

#include <cstdint>

#include "model/operation.h"
#include "runtime/scheduler/task.h"

namespace ravel {

// Before the fork, so that executions need not.
void prepare_lock_order();

// The current task is about to take the lock of `operation`, and will wait as long as it takes.
void note_lock_order(const Task& task, const Operation& operation);

// Tasks that join are ordered: what one of them did before cannot overlap with what the other does after.
void lock_order_task_joined(TaskId joined);

// Locks in this memory are gone: the memory may get new ones.
void lock_order_forget(std::uint64_t address, std::uint64_t size);

}  // namespace ravel
