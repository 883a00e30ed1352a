// SPDX-License-Identifier: Apache-2.0
// Two phases: what is written before a barrier and overwritten before the next one is gone after it.
#include <barrier>
#include <cstdio>
#include <thread>

std::barrier<> step(2);
int n = 0;  // [start]

int main() {
  std::thread writes([] {
    n = 1;  // [one]
    step.arrive_and_wait();
    step.arrive_and_wait();
    n = 2;  // [two]
    step.arrive_and_wait();
  });
  std::thread reads([] {
    std::printf("%d\n", n);  // n = π start one
    step.arrive_and_wait();
    std::printf("%d\n", n);  // n = one
    step.arrive_and_wait();
    std::printf("%d\n", n);  // n = π one two
    step.arrive_and_wait();
    std::printf("%d\n", n);  // n = two
  });
  writes.join();
  reads.join();
}
