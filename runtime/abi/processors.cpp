// SPDX-License-Identifier: Apache-2.0
// Questions about processors, answered as if executions were not kept on one.
#include "runtime/interpose/processors.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

RAVEL_EXPORT int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) {
  if (!ravel::under_engine() || !ravel::kept_on_one_processor() || !ravel::means_this_task(process)) {
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

// Not the system's answer: libc takes it from the thread's restartable-sequence area, which for a task on a fiber is
// that of a parked donor.
RAVEL_EXPORT int sched_getcpu() {
  if (!ravel::under_engine()) return ravel::real().sched_getcpu();
  return ravel::shown_processor();
}

RAVEL_EXPORT int getcpu(unsigned* processor, unsigned* node) {
  if (!ravel::under_engine()) return ravel::real().getcpu(processor, node);
  if (processor != nullptr) *processor = static_cast<unsigned>(ravel::shown_processor());
  if (node != nullptr) *node = 0;
  return 0;
}

// Accepted and without effect, like pthread_setaffinity_np: a program that moves itself must not leave its driver.
RAVEL_EXPORT int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) {
  if (!ravel::under_engine() || !ravel::means_this_task(process)) {
    return ravel::real().sched_setaffinity(process, size, set);
  }
  return 0;
}
