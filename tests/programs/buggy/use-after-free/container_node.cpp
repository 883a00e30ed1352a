// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// An iterator into a shared list is kept while the lock is not; another task may erase the node meanwhile.
#include <list>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::list<int> jobs{1, 2, 3};

int main() {
  int seen = 0;
  std::thread worker([&] {
    std::list<int>::iterator job;
    {
      std::lock_guard lock(guard);
      job = jobs.begin();
    }
    std::lock_guard lock(guard);
    seen = *job;
  });
  std::thread canceller([] {
    std::lock_guard lock(guard);
    jobs.pop_front();
  });
  worker.join();
  canceller.join();
}
