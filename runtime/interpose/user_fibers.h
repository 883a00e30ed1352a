// SPDX-License-Identifier: Apache-2.0
//
// Fibers of the program itself (__tsan_create_fiber and friends): contexts it switches between within one task. For the
// engine they are part of the task they run on, and what they do is ordered as that task runs them, whether or not the
// program says that a switch synchronises. Each has its own shadow call stack and its own past.
//
// Who calls it: runtime/abi/tsan_fiber.cpp. Thread safety: a fiber is used by one thread at a time, as the interface
// demands; fibers may move between tasks.
#pragma once

#include "runtime/scheduler/task.h"

namespace ravel {

struct UserFiber {
  ShadowStack shadow;  // valid while the fiber does not run
};

// The fiber the calling thread runs on. Never null when memory is left: every thread has one of its own.
UserFiber* current_user_fiber();
UserFiber* create_user_fiber();
void destroy_user_fiber(UserFiber* fiber);
void switch_to_user_fiber(UserFiber* fiber);

}  // namespace ravel
