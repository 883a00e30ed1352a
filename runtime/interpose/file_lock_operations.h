// SPDX-License-Identifier: Apache-2.0
// flockfile and friends. The real lock of a FILE is taken inside every stdio call, where we cannot step in: a task that
// held it across a scheduling point would block the OS thread that carries all tasks. So locks taken by the program are
// kept apart: they order the tasks that use flockfile among each other, and stdio calls stay whole as they contain no
// scheduling point.
#pragma once

#include <stdio.h>

#include "runtime/interpose/points.h"

namespace ravel {

void lock_file(FILE* file, CallSite pc);
int try_lock_file(FILE* file, CallSite pc);
void unlock_file(FILE* file, CallSite pc);

}  // namespace ravel
