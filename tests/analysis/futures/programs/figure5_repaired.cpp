// SPDX-License-Identifier: Apache-2.0
// Figure 5 repaired: the third thread waits for both writers, and the second one writes after the first.
#include <cstdio>
#include <mutex>
#include <thread>

int n = 1;
std::mutex lock;

int main() {
  std::thread t1([] {
    std::lock_guard<std::mutex> guard(lock);
    n = 0;
  });
  t1.join();
  std::thread t2([] {
    std::lock_guard<std::mutex> guard(lock);
    n = 3;  // [n2]
  });
  t2.join();
  std::thread t3([] {
    std::lock_guard<std::mutex> guard(lock);
    std::printf("%d\n", 21 / n);  // n = n2
  });
  t3.join();
}
