// SPDX-License-Identifier: Apache-2.0
// What the primitives provide to the scheduler and to start-up. Used only by runtime/abi/startup.cpp.
#pragma once

#include "runtime/interpose/process_operations.h"
#include "runtime/interpose/task_exit.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

// Called once at start-up, before the program runs: also looks up the real functions and watches for forks.
SchedulerHooks primitive_hooks();

// main has returned on T0: the process is about to exit.
void main_returned(Task& task);

}  // namespace ravel
