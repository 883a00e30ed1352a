// SPDX-License-Identifier: Apache-2.0
// Three tasks with one critical section each: 3! = 6.
//
//   sc: 6
//   c11: 6
#include <mutex>

#include "together.h"

std::mutex m;
int counter = 0;

void work() {
  const std::lock_guard guard(m);
  ++counter;
}

int main() {
  together(work, work, work);
  require(counter == 3);
}
