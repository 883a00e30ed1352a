// SPDX-License-Identifier: Apache-2.0
// System calls that programs and libraries make through syscall(2) and that must not reach the kernel as they are:
// futexes, time, random numbers, and calls that take a thread id. Results and errno as syscall(2)
// gives them.
#pragma once

#include "runtime/interpose/points.h"

namespace ravel {

struct SystemCall {
  long number;
  long arguments[6];
};

long system_call(const SystemCall& call, CallSite pc);

// Makes the call unchanged.
long forward_to_kernel(const SystemCall& call);

}  // namespace ravel
