// SPDX-License-Identifier: Apache-2.0
// Tasks that run where they are asked for, or as threads; a thread that nobody joins.
#include <atomic>
#include <cstdio>
#include <future>
#include <thread>

int n = 0;  // [n1]
int late = 0;
std::atomic<bool> done{false};  // [done1]

int main() {
  auto lazy = std::async(std::launch::deferred, [] {
    late = 3;  // [late1]
    return 1;
  });
  n = 5;  // [n2]
  lazy.get();
  auto eager = std::async(std::launch::async, [] {
    n = n + 1;    // n = φ n1 n2  [n3]
    return late;  // late = π late1 late2
  });
  late = 4;                // [late2]
  std::printf("%d\n", n);  // n = π n1 n2 n3
  std::printf("%d\n", eager.get());
  std::thread([] {
    n = 9;                                        // [n4]
    done.store(true, std::memory_order_release);  // [done2]
  }).detach();
  while (!done.load(std::memory_order_acquire)) std::this_thread::yield();  // done = π done1 done2
  std::printf("%d\n", n);                                                   // n = n4
}
