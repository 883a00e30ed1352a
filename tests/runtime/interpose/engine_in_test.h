// SPDX-License-Identifier: Apache-2.0
// A scheduler with T0 only, in the test's own process: operations of primitives take effect at once, nothing is
// controlled. Enough to see what they do to the objects.
#pragma once

#include <sys/mman.h>

#include <new>

#include "runtime/fibers/carrier.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

inline void start_engine_in_test() {
  static bool started = false;
  if (started) return;
  started = true;
  void* memory =
      mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  auto* channel = static_cast<Channel*>(memory);  // zeros are a valid channel; a constructor would touch all of it
  channel->launch.options.random_seed = 1;
  scheduler().start(*channel, thread_carrier(), SchedulerHooks{}, nullptr);
}

}  // namespace ravel
