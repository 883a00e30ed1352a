// SPDX-License-Identifier: Apache-2.0
// Atomics without an order: what one thread has seen tells nothing of anything else.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> data{0};  // [data1]
std::atomic<int> flag{0};  // [flag1]
std::atomic<int> sum{0};   // [sum1]

int main() {
  std::thread t([] {
    data.store(1, std::memory_order_relaxed);     // [data2]
    flag.store(1, std::memory_order_relaxed);     // [flag2]
    sum.fetch_add(2, std::memory_order_relaxed);  // sum = π sum1 sum2 sum3  [sum4]
  });
  int expected = 0;
  if (flag.load(std::memory_order_relaxed) == 1)                // flag = π flag1 flag2
    std::printf("%d\n", data.load(std::memory_order_relaxed));  // data = π data1 data2
  if (sum.compare_exchange_strong(expected, 5)) data = 7;       // sum = π sum1 sum4  [sum2]
  std::printf("%d %d\n", expected, sum.exchange(1));            // sum = π sum1 sum4 sum2  [sum3]
  t.join();
  std::printf("%d %d\n", data.load(), sum.load());  // data = φ data2 sum2; sum = φ sum4 sum3
}
