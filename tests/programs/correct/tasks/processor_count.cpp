// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Executions are kept on one processor; programs that size their pools by the number of processors must not notice.
#include <sched.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  const unsigned before = std::thread::hardware_concurrency();
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  cpu_set_t set_before;
  CPU_ZERO(&set_before);
  assert(sched_getaffinity(0, sizeof set_before, &set_before) == 0);
  std::thread([=] {
    assert(std::thread::hardware_concurrency() == before);
    assert(sysconf(_SC_NPROCESSORS_ONLN) == online);
    cpu_set_t set;
    CPU_ZERO(&set);
    assert(sched_getaffinity(0, sizeof set, &set) == 0);
    assert(CPU_EQUAL(&set, &set_before));
  }).join();
}
