// SPDX-License-Identifier: Apache-2.0
// Figure 5: the barrier makes the third thread wait for the second, so the value before the threads is no term. It does
// not make it wait for the first, whose 0 is divided by.
#include <barrier>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

int n = 1;
std::mutex lock;
std::barrier<> ready(2);

int main() {
  std::thread t1([] {
    std::lock_guard<std::mutex> guard(lock);
    n = 0;  // [n1]
  });
  std::thread t2([] {
    {
      std::lock_guard<std::mutex> guard(lock);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      n = 3;  // [n2]
    }
    ready.arrive_and_wait();
  });
  std::thread t3([] {
    ready.arrive_and_wait();
    std::lock_guard<std::mutex> guard(lock);
    const int result = 21 / n;  // n = π n1 n2
    std::printf("%d\n", result);
  });
  t1.join();
  t2.join();
  t3.join();
}
