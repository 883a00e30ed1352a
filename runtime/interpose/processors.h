// SPDX-License-Identifier: Apache-2.0
// Pins executions to one processor without the program noticing. Server and execution run in turns: on one processor
// the memory they share stays in its caches, and no other processor has to be notified of page-table changes. Programs
// that size their thread pools by the number of processors must still see all of them.
#pragma once

#include <sched.h>

#include <cstddef>

namespace ravel {

// By the fork server, before the first fork. `number` counts from 0.
void keep_on_processor(int number);

// What the program would see if it were not pinned. Like sched_getaffinity(2) in libc: 0, or -1 and errno.
int allowed_processors(std::size_t size, cpu_set_t* set);

// How many of them there are.
int allowed_processor_count();

// False: nothing was changed, the system may be asked.
bool kept_on_one_processor();

}  // namespace ravel
