// SPDX-License-Identifier: Apache-2.0
// What runs when a task ends: C++ thread_local destructors, destructors of keys, abandoned robust mutexes; and the
// check that no lock is still held. All of it under control, on the ending task.
#pragma once

#include <pthread.h>

#include "runtime/scheduler/task.h"

namespace ravel {

// The destructor of a C++ thread_local. T0's belong to the real function: libc runs them in exit.
int add_thread_exit_call(void (*destructor)(void*), void* object, void* library);

// Keys keep their values in libc (they are part of the task's identity); only destructors are ours.
int create_key(pthread_key_t* key, void (*destructor)(void*));
int delete_key(pthread_key_t key);

// Runs the thread_local destructors of the current task; exit() does this before its own handlers.
void run_thread_local_destructors(Task& task);

// The body of `task` is over.
void run_task_exit_handlers(Task& task);

// Reports locks that `task` still holds, as it ends.
void report_locks_left(Task& task);

}  // namespace ravel
