// SPDX-License-Identifier: Apache-2.0
// The second pruning: a write in the read's own critical section hides those of others, as long as they keep to the
// lock.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int n = 0;
int m = 0;

int main() {
  std::thread other([] {
    std::lock_guard<std::mutex> guard(lock);
    n = 1;
  });
  std::thread unlocked([] { m = 1; });  // [wild]
  std::thread reads([] {
    std::lock_guard<std::mutex> guard(lock);
    n = 2;                   // [own]
    m = 2;                   // [mine]
    std::printf("%d\n", n);  // n = own
    std::printf("%d\n", m);  // m = π mine wild
  });
  other.join();
  unlocked.join();
  reads.join();
}
