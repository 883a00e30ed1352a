// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Priorities, niceness, processors and names change nothing here, but who asks is told what was set.
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

void ask_for_priorities() {
  const sched_param wanted{7};
  assert(pthread_setschedparam(pthread_self(), SCHED_RR, &wanted) == 0);
  int policy = 0;
  sched_param shown{};
  assert(pthread_getschedparam(pthread_self(), &policy, &shown) == 0);
  assert(policy == SCHED_RR && shown.sched_priority == 7);
  assert(pthread_setschedprio(pthread_self(), 8) == 0);
  assert(sched_getscheduler(0) == SCHED_RR);
  assert(sched_getparam(0, &shown) == 0 && shown.sched_priority == 8);
  assert(pthread_setschedprio(pthread_self(), 1000) != 0);

  const auto id = static_cast<id_t>(syscall(SYS_gettid));
  assert(setpriority(PRIO_PROCESS, id, 11) == 0);
  assert(getpriority(PRIO_PROCESS, id) == 11);
  assert(syscall(SYS_getpriority, PRIO_PROCESS, id) == 20 - 11);
}

void ask_for_processors() {
  cpu_set_t all;
  assert(pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0);
  unsigned last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &all)) --last;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  assert(pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0);
  cpu_set_t shown;
  assert(sched_getaffinity(0, sizeof shown, &shown) == 0 && CPU_EQUAL(&one, &shown));
  assert(sched_getcpu() == static_cast<int>(last));
  cpu_set_t none;
  CPU_ZERO(&none);
  assert(sched_setaffinity(0, sizeof none, &none) != 0);
}

void ask_for_names() {
  char name[16] = {};
  assert(prctl(PR_SET_NAME, "a rather long name", 0, 0, 0) == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "a rather long n") == 0);
  assert(pthread_setname_np(pthread_self(), "short") == 0);
  assert(prctl(PR_GET_NAME, name, 0, 0, 0) == 0 && strcmp(name, "short") == 0);
}

int main() {
  const int policy = sched_getscheduler(0);
  std::thread asking([] {
    ask_for_priorities();
    ask_for_processors();
    ask_for_names();
    std::thread([] { assert(sched_getscheduler(0) == SCHED_RR); }).join();
  });
  std::thread other([=] { assert(sched_getscheduler(0) == policy); });
  asking.join();
  other.join();
}
