// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the end of a task happens before the return of the join, through a chain of joins as well.
#include <cassert>
#include <thread>

static int result = 0;

int main() {
  std::thread outer([] {
    std::thread inner([] { result = 42; });
    inner.join();
  });
  outer.join();
  assert(result == 42);
}
