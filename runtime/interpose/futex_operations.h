// SPDX-License-Identifier: Apache-2.0
// Futexes and the few other system calls that programs (and libstdc++) make through syscall(2) and that must not reach
// the kernel as they are. Results and errno as syscall(2) gives them.
#pragma once

#include "runtime/interpose/points.h"

namespace ravel {

struct SystemCall {
  long number;
  long arguments[6];
};

long system_call(const SystemCall& call, CallSite pc);

}  // namespace ravel
