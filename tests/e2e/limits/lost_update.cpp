// SPDX-License-Identifier: Apache-2.0
// Two increments of a plain int. Without instrumentation the accesses are invisible: no task switch falls between the
// load and the store, and the bug stays hidden. Built by `ravel c++` it is found.
#include <cassert>
#include <thread>

int counter = 0;

void increment() {
  const int before = counter;
  counter = before + 1;
}

int main() {
  std::thread first(increment);
  std::thread second(increment);
  first.join();
  second.join();
  assert(counter == 2);
}
