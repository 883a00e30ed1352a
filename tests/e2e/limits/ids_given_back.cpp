// SPDX-License-Identifier: Apache-2.0
// Ids of tasks, as gettid gives them, in calls that take ids of threads: the kernel knows nobody or somebody else under
// them, so Ravel answers. Settings have no effect but are kept for who asks, signals reach the task.
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

// As sched_getattr(2) fills it in; libc of Debian 12 has no name for it.
struct Attributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t rest[6];
};

thread_local int handled = 0;

void check_own(pid_t self) {
  Attributes attributes = {};
  assert(syscall(SYS_sched_getattr, self, &attributes, sizeof attributes, 0) == 0);
  assert(attributes.policy == SCHED_OTHER);
  assert(syscall(SYS_sched_setattr, self, &attributes, 0) == 0);
  sched_param parameters = {};
  assert(sched_getscheduler(self) == SCHED_OTHER);
  assert(sched_getparam(self, &parameters) == 0 && parameters.sched_priority == 0);
  const sched_param highest = {99};
  assert(sched_setscheduler(self, SCHED_FIFO, &highest) == 0);
  assert(sched_getscheduler(self) == SCHED_FIFO);
  assert(sched_setscheduler(self, SCHED_OTHER, &parameters) == 0);
  assert(setpriority(PRIO_PROCESS, static_cast<id_t>(self), 19) == 0);
  assert(getpriority(PRIO_PROCESS, static_cast<id_t>(self)) == 19);
  cpu_set_t by_function;
  cpu_set_t by_call;
  CPU_ZERO(&by_call);
  assert(sched_getaffinity(self, sizeof by_function, &by_function) == 0);
  assert(syscall(SYS_sched_getaffinity, self, sizeof by_call, &by_call) > 0);
  assert(CPU_EQUAL(&by_function, &by_call));
}

int main() {
  signal(SIGUSR1, [](int) { ++handled; });
  std::atomic<pid_t> waiting_id = 0;
  std::atomic<bool> got_first = false;
  std::thread waiting([&] {
    check_own(gettid());
    waiting_id = gettid();
    while (handled < 1) sched_yield();
    got_first = true;
    while (handled < 2) sched_yield();
  });
  std::thread other([&] { check_own(gettid()); });
  while (waiting_id == 0) sched_yield();
  check_own(waiting_id);
  assert(tgkill(getpid(), waiting_id, SIGUSR1) == 0);
  while (!got_first) sched_yield();
  assert(syscall(SYS_tkill, waiting_id.load(), SIGUSR1) == 0);
  waiting.join();
  other.join();
  assert(handled == 0);
}
