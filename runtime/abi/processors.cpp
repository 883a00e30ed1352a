// SPDX-License-Identifier: Apache-2.0
// Questions about the number of processors, answered as if executions were not kept on one.
#include "runtime/interpose/processors.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

RAVEL_EXPORT int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) {
  if (!ravel::under_engine() || !ravel::kept_on_one_processor() || process != 0) {
    return ravel::real().sched_getaffinity(process, size, set);
  }
  return ravel::allowed_processors(size, set);
}

RAVEL_EXPORT int get_nprocs() {
  if (!ravel::under_engine() || !ravel::kept_on_one_processor()) return ravel::real().get_nprocs();
  return ravel::allowed_processor_count();
}

RAVEL_EXPORT long sysconf(int name) {
  if (name != _SC_NPROCESSORS_ONLN || !ravel::under_engine() || !ravel::kept_on_one_processor()) {
    return ravel::real().sysconf(name);
  }
  return ravel::allowed_processor_count();
}
