// SPDX-License-Identifier: Apache-2.0
// Two tasks, each with two critical sections of one mutex, and a plain counter in them. A class is an order of the
// four sections that keeps each task's own order: 4! / (2! * 2!) = 6.
//
//   sc: 6
//   c11: 6
#include <mutex>

#include "together.h"

std::mutex m;
int counter = 0;

void work() {
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard guard(m);
    ++counter;
  }
}

int main() {
  together(work, work);
  require(counter == 4);
}
