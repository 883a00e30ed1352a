// SPDX-License-Identifier: Apache-2.0
// lock_guard, unique_lock with an early unlock, scoped_lock over two mutexes, shared_lock.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::mutex a;
std::mutex b;
std::shared_mutex c;
int n = 0;  // [n0]
int m = 0;  // [m0]
int k = 0;  // [k0]

int main() {
  std::thread writes([] {
    {
      std::scoped_lock both(a, b);
      n = 1;  // [n1]
      n = 2;  // [n2]
    }
    {
      std::unique_lock<std::mutex> guard(a);
      m = 1;  // [m1]
      guard.unlock();
      guard.lock();
      m = 2;  // [m2]
    }
    std::unique_lock<std::shared_mutex> whole(c);
    k = 1;  // [k1]
    k = 2;  // [k2]
  });
  std::thread reads([] {
    {
      std::lock_guard<std::mutex> guard(b);
      std::printf("%d\n", n);  // n = π n0 n2
    }
    {
      std::lock_guard<std::mutex> guard(a);
      std::printf("%d\n", m);  // m = π m0 m1 m2
    }
    std::shared_lock<std::shared_mutex> part(c);
    std::printf("%d\n", k);  // k = π k0 k2
  });
  writes.join();
  reads.join();
}
