// SPDX-License-Identifier: Apache-2.0
// gettid gives the process id plus the number of the task. It is stable and different for each task, but it is not the
// number under which the kernel knows the thread. With an argument: on OS threads it may be the same by chance.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int kernels_number() {
  char link[64] = {};
  if (readlink("/proc/thread-self", link, sizeof link - 1) < 0) exit(2);
  return atoi(strrchr(link, '/') + 1);
}

int main(int count, char**) {
  const bool may_be_equal = count > 1;
  assert(gettid() == getpid());
  std::thread([=] {
    assert(gettid() == getpid() + 1);
    assert(may_be_equal || gettid() != kernels_number());
  }).join();
  std::thread([=] {
    assert(gettid() == getpid() + 2);
    assert(may_be_equal || gettid() != kernels_number());
  }).join();
}
