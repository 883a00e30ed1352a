// SPDX-License-Identifier: Apache-2.0
// What a program asks of the system's scheduler for a task: policy, priority, niceness, processors. One task runs at a
// time, so it changes nothing; but it is kept, and who asks gets the answer that the system would give.
//
// Functions return an errno value. Called on the running task, about any.
#pragma once

#include <sched.h>

#include <cstddef>

#include "runtime/scheduler/task.h"

namespace ravel {

int set_policy(Task& task, int policy, const sched_param* parameters);
int policy_of(const Task& task, sched_param* parameters);  // parameters: may be null

int set_niceness(Task& task, int niceness);
int niceness_of(const Task& task);

int set_processors(Task& task, std::size_t size, const cpu_set_t* set);
int processors_of(const Task& task, std::size_t size, cpu_set_t* set);

// The processor that the current task is said to run on: the first that it may use.
int current_processor();

}  // namespace ravel
