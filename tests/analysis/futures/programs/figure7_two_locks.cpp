// SPDX-License-Identifier: Apache-2.0
// Figure 7 with a lock for each variable: now a and b can come from different threads, and 12 is possible.
#include <cstdio>
#include <mutex>
#include <thread>

int a;
int b;
std::mutex lock;
std::mutex lock_b;

int main() {
  std::thread t1([] {
    lock.lock();
    a = 1;  // [a1]
    lock.unlock();
    lock_b.lock();
    b = 1;  // [b1]
    lock_b.unlock();
  });
  std::thread t2([] {
    int z = 0;
    lock.lock();
    a = 2;  // [a2]
    lock.unlock();
    lock_b.lock();
    b = 2;  // [b2]
    lock_b.unlock();
    lock.lock();
    const int seen = a;    // a = π a1 a2
    if (seen == 1) z = b;  // b = π b1 b2
    std::printf("%d%d\n", seen, z);
    lock.unlock();
  });
  t1.join();
  t2.join();
}
