// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/processors.h"

#include <errno.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "runtime/interpose/thread_operations.h"

namespace ravel {
namespace {

// The processors of this process: looked up once, by the fork server or by the first caller.
struct Processors {
  cpu_set_t allowed = {};  // before the process was pinned to one
  bool kept_on_one = false;
};
constinit Processors g_processors;

}  // namespace

void keep_on_processor(int number) {
  if (raw_syscall(SYS_sched_getaffinity, 0, sizeof g_processors.allowed,
                  reinterpret_cast<long>(&g_processors.allowed)) <= 0)
    return;
  if (number < 0 || number >= CPU_SETSIZE || !CPU_ISSET(static_cast<unsigned>(number), &g_processors.allowed)) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(number), &one);
  g_processors.kept_on_one = raw_syscall(SYS_sched_setaffinity, 0, sizeof one, reinterpret_cast<long>(&one)) == 0;
}

int allowed_processors(std::size_t size, cpu_set_t* set) {
  // The kernel insists on room for all processors it knows; here room for one word is enough.
  if (size < sizeof(unsigned long)) {
    errno = EINVAL;
    return -1;
  }
  if (CPU_COUNT(&g_processors.allowed) == 0) {
    raw_syscall(SYS_sched_getaffinity, 0, sizeof g_processors.allowed, reinterpret_cast<long>(&g_processors.allowed));
  }
  __builtin_memset(set, 0, size);
  __builtin_memcpy(set, &g_processors.allowed, size < sizeof g_processors.allowed ? size : sizeof g_processors.allowed);
  return 0;
}

int allowed_processor_count() { return CPU_COUNT(&g_processors.allowed); }

bool kept_on_one_processor() { return g_processors.kept_on_one; }

}  // namespace ravel
