// SPDX-License-Identifier: Apache-2.0
// Release and acquire hand over what was written before; relaxed does not.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<bool> ready{false};    // [no]
std::atomic<bool> relaxed{false};  // [not]
std::atomic<int> stage{0};         // [zero]
int n = 0;                         // [start]

int main() {
  std::thread writes([] {
    n = 1;                                           // [one]
    ready.store(true, std::memory_order_release);    // [yes]
    relaxed.store(true, std::memory_order_relaxed);  // [set]
    stage = 2;                                       // [two]
  });
  std::thread acquires([] {
    while (!ready.load(std::memory_order_acquire)) {  // ready = π no yes
    }
    std::printf("%d\n", n);  // n = one
  });
  std::thread guesses([] {
    while (!relaxed.load(std::memory_order_relaxed)) {  // relaxed = π not set
    }
    std::printf("%d\n", n);  // n = π start one
  });
  std::thread counts([] {
    while (stage != 2) {  // stage = π zero two
    }
    std::printf("%d\n", n);             // n = one
    std::printf("%d\n", stage.load());  // stage = two
  });
  writes.join();
  acquires.join();
  guesses.join();
  counts.join();
}
