// SPDX-License-Identifier: Apache-2.0
// THREADS threads publish a position in two steps, each under the lock; one more looks in between. Only the first of
// them can be seen half done, whichever that is: as found, most threads are preempted, and each preemption is needed as
// long as the others are there. One is enough.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int x = 0;
static int y = 0;

static void publish() {
  {
    const std::lock_guard guard(lock);
    x = 1;
  }
  const std::lock_guard guard(lock);
  y = -1;
}

static void look() {
  const std::lock_guard guard(lock);
  if (x + y != 0) std::abort();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) threads.emplace_back(publish);
  threads.emplace_back(look);
  for (std::thread& thread : threads) thread.join();
}
