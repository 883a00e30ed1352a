// SPDX-License-Identifier: Apache-2.0
// Futexes. Results and errno as syscall(2) gives them.
#pragma once

#include "runtime/interpose/system_calls.h"

namespace ravel {

// A call of futex(2).
long futex_call(const SystemCall& call, CallSite pc);

}  // namespace ravel
