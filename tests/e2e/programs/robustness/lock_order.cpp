// SPDX-License-Identifier: Apache-2.0
// A lock-order deadlock, for schedules to damage and for builds of other kinds.
#include <mutex>
#include <thread>

static std::mutex a;
static std::mutex b;
static int shared = 0;

int main() {
  std::thread task([] {
    std::scoped_lock first(a);
    ++shared;
    std::scoped_lock second(b);
    ++shared;
  });
  {
    std::scoped_lock first(b);
    std::scoped_lock second(a);
    ++shared;
  }
  task.join();
}
