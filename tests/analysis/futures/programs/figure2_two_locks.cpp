// SPDX-License-Identifier: Apache-2.0
// Figure 2 with a lock of its own for the first writer: what it overwrites can be seen now.
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  std::mutex other;
  int a;
  std::thread t1([&] {
    std::lock_guard<std::mutex> guard(other);
    a = 1;  // [a1]
    a = 2;  // [a2]
  });
  std::thread t2([&] {
    std::lock_guard<std::mutex> guard(lock);
    a = 3;  // [a3]
  });
  std::thread t3([&] {
    std::lock_guard<std::mutex> guard(lock);
    std::printf("%d\n", a);  // a = π a1 a2 a3
  });
  t1.join();
  t2.join();
  t3.join();
}
