// SPDX-License-Identifier: Apache-2.0
// flockfile and friends. Every stdio call takes the real lock of its FILE inside libc, where we cannot intervene: a
// task that held it across a scheduling point would block the OS thread that carries all tasks. So locks taken by the
// program are kept separately: they order the tasks that use flockfile among themselves, and stdio calls stay atomic
// because they contain no scheduling point.
#pragma once

#include <stdio.h>

#include "runtime/interpose/points.h"

namespace ravel {

void lock_file(FILE* file, CallSite pc);
int try_lock_file(FILE* file, CallSite pc);
void unlock_file(FILE* file, CallSite pc);

}  // namespace ravel
