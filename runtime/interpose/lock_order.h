// SPDX-License-Identifier: Apache-2.0
//
// Lock order: which lock was wanted while which other one was held, for the driver to find circles in
// (Channel::lock_edge). A circle is a deadlock that may happen though this execution went well.
//
// Who calls it: the lock operations, before a lock may have to wait; thread_operations, as tasks join; destroy
// operations and the heap, as locks go. Try-locks and timed locks are not asked about: they give up.
//
// What it costs: nothing for a task that holds no lock; one look-up per held lock otherwise.
//
// Thread safety: none; only the running task calls.
#pragma once

#include <cstdint>

#include "model/operation.h"
#include "runtime/scheduler/task.h"

namespace ravel {

// The current task is about to want the lock of `operation`, and will wait as long as it takes.
void note_lock_order(const Task& task, const Operation& operation);

// Tasks that join are ordered: what one of them did before cannot overlap with what the other does after.
void lock_order_task_joined(TaskId joined);

// Locks in this memory are gone: others may come to live there.
void lock_order_forget(std::uint64_t address, std::uint64_t size);

}  // namespace ravel
