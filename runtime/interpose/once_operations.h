// SPDX-License-Identifier: Apache-2.0
// One-time initialisation: pthread_once, call_once, and the guards of function-local statics.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/interpose/points.h"

namespace ravel {

int once(pthread_once_t* control, void (*routine)(), CallSite pc);

// Guards: acquire returns 1 when the caller must initialise.
int guard_acquire(std::uint64_t* guard, CallSite pc);
void guard_release(std::uint64_t* guard, CallSite pc);
void guard_abort(std::uint64_t* guard, CallSite pc);

}  // namespace ravel
