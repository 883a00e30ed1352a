// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// A pool's second job expects the thread_local that the first one set: true only when one worker runs both.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static thread_local int session_user = 0;

int main() {
  std::mutex mutex;
  std::vector<std::function<void()>> jobs;  // taken from the back
  jobs.emplace_back([] { assert(session_user == 7); });
  jobs.emplace_back([] { session_user = 7; });
  auto work = [&] {
    for (;;) {
      std::function<void()> job;
      {
        std::lock_guard lock(mutex);
        if (jobs.empty()) return;
        job = jobs.back();
        jobs.pop_back();
      }
      job();
    }
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
