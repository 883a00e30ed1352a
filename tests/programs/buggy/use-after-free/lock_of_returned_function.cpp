// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// SAYS: in a function that has returned
// A function hands its local mutex to a thread and returns when it has seen the work done, not when the thread has
// given up the mutex for good. Nothing is called when the mutex ends: the frame it lies in is gone.
#include <functional>
#include <mutex>
#include <thread>

namespace {

struct Work {
  std::mutex mutex;
  char room[512] = {};
  bool done = false;
};

void help(Work& work) {
  {
    const std::lock_guard<std::mutex> lock(work.mutex);
    work.done = true;
  }
  const std::lock_guard<std::mutex> once_more(work.mutex);
}

std::thread begin_work() {
  Work work;
  std::thread helper(help, std::ref(work));
  for (;;) {
    const std::lock_guard<std::mutex> lock(work.mutex);
    if (work.done) return helper;
  }
}

}  // namespace

int main() { begin_work().join(); }
