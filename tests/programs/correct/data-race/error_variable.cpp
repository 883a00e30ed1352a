// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: every task has its own errno.
#include <unistd.h>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <thread>

static void fail(int expected) {
  errno = expected;
  std::this_thread::yield();
  assert(errno == expected);
  int result = close(-1);
  assert(result == -1 && errno == EBADF);
  errno = 0;
  long huge = std::strtol("99999999999999999999999", nullptr, 10);
  assert(huge > 0 && errno == ERANGE);
}

int main() {
  std::thread first(fail, EAGAIN);
  std::thread second(fail, EINTR);
  first.join();
  second.join();
}
