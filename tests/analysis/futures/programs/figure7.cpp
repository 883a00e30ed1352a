// SPDX-License-Identifier: Apache-2.0
// Figure 7: a and b are always written together, so the output is 11 or 20. The terms alone would allow 12.
#include <cstdio>
#include <mutex>
#include <thread>

int a;
int b;
std::mutex lock;

int main() {
  std::thread t1([] {
    lock.lock();
    a = 1;  // [a1]
    b = 1;  // [b1]
    lock.unlock();
  });
  std::thread t2([] {
    int z = 0;
    lock.lock();
    a = 2;  // [a2]
    b = 2;  // [b2]
    lock.unlock();
    lock.lock();
    const int seen = a;    // a = π a1 a2
    if (seen == 1) z = b;  // b = π b1 b2
    std::printf("%d%d\n", seen, z);
    lock.unlock();
  });
  t1.join();
  t2.join();
}
