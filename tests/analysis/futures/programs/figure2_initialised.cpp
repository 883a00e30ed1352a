// SPDX-License-Identifier: Apache-2.0
// Figure 2 with a value before the threads: one more term.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int a = 0;  // [a0]

void first() {
  lock.lock();
  a = 1;
  a = 2;  // [a2]
  lock.unlock();
}

void second() {
  lock.lock();
  a = 3;  // [a3]
  lock.unlock();
}

void third() {
  lock.lock();
  std::printf("%d\n", a);  // a = π a0 a2 a3
  lock.unlock();
}

int main() {
  std::thread t1(first);
  std::thread t2(second);
  std::thread t3(third);
  t1.join();
  t2.join();
  t3.join();
}
