// SPDX-License-Identifier: Apache-2.0
// A correct program that does nothing but yield for longer than a step limit set low. It is cut, and nothing is said
// about it.

#include <sched.h>

#include <thread>

int main() {
  std::thread([] {
    for (int i = 0; i < 5000; ++i) sched_yield();
  }).join();
}
