// SPDX-License-Identifier: Apache-2.0
// A flag under a lock that is waited for: the flag is true only after the write before it.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
bool ready = false;  // [no]
int n = 0;           // [start]
int late = 0;        // [early]

int main() {
  std::thread writes([] {
    n = 1;  // [one]
    {
      std::lock_guard<std::mutex> guard(lock);
      ready = true;  // [yes]
    }
    changed.notify_all();
    late = 1;  // [late]
  });
  std::thread predicate([] {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return ready; });  // ready = π no yes
    std::printf("%d\n", n);                     // n = one
    std::printf("%d\n", late);                  // late = π early late
  });
  std::thread loop([] {
    std::unique_lock<std::mutex> guard(lock);
    while (!ready) changed.wait(guard);  // ready = π no yes
    std::printf("%d\n", n);              // n = one
  });
  std::thread hasty([] {
    std::unique_lock<std::mutex> guard(lock);
    if (!ready) changed.wait(guard);  // ready = π no yes
    std::printf("%d\n", n);           // n = π start one
  });
  writes.join();
  predicate.join();
  loop.join();
  hasty.join();
}
