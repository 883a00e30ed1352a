// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A function hands its local mutex to a thread and returns when it has seen the work done, which the thread says when
// it locks the mutex for the last time.
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
  { const std::lock_guard<std::mutex> lock(work.mutex); }
  const std::lock_guard<std::mutex> lock(work.mutex);
  work.done = true;
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
