// SPDX-License-Identifier: Apache-2.0
// Figure 2 of "Controlling the Future" (CSSAME): two writers under one lock; the first overwrites its own value before
// it lets go of the lock. As in the figure, the variable has no value before the threads.
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  int a;
  std::thread t1([&] {
    std::lock_guard<std::mutex> guard(lock);
    a = 1;
    a = 2;  // [a2]
  });
  std::thread t2([&] {
    std::lock_guard<std::mutex> guard(lock);
    a = 3;  // [a3]
  });
  std::thread t3([&] {
    std::lock_guard<std::mutex> guard(lock);
    std::printf("%d\n", a);  // a = π a2 a3
  });
  t1.join();
  t2.join();
  t3.join();
}
