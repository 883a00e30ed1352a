// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the worker moves the node out of the shared list, so it is the worker's alone.
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::list<int> jobs{1, 2, 3};

int main() {
  std::thread worker([] {
    std::list<int> mine;
    {
      std::lock_guard lock(guard);
      mine.splice(mine.begin(), jobs, jobs.begin());
    }
    assert(mine.front() >= 1);
  });
  std::thread canceller([] {
    std::lock_guard lock(guard);
    jobs.pop_front();
  });
  worker.join();
  canceller.join();
  assert(jobs.size() == 1);
}
