// SPDX-License-Identifier: Apache-2.0
// The queues of tasks that wait on a condition variable, futex or barrier, in order of arrival. The objects themselves
// cannot hold the list (a futex is a bare word; a barrier may be freed by the first task that leaves it), so it is kept
// by address, in links inside the tasks: nothing is allocated, and an object may vanish at any time.
//
// A task is in at most one queue. Called only on the running task.
#pragma once

#include <cstdint>

#include "runtime/scheduler/task.h"

namespace ravel {

// Puts the task at the end of the queue of `object` and clears its `notified`.
void enqueue_waiter(std::uint64_t object, Task& task);

// Takes the task out of the queue it is in, if any.
void dequeue_waiter(Task& task);

Task* first_waiter(std::uint64_t object);
Task* next_waiter(const Task& task);
std::uint32_t count_waiters(std::uint64_t object);

// Takes the task out of its queue, marks it notified and lets it continue.
void notify_waiter(Task& task);

// Notifies one waiter (which one is a decision when there are several); false when there is none.
bool notify_one_waiter(std::uint64_t object);

// Notifies all; returns how many.
std::uint32_t notify_all_waiters(std::uint64_t object);

// The ready function of these waits.
bool waiter_is_notified(const void* object, const Task& task);

}  // namespace ravel
