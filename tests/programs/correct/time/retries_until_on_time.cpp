// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Correct: a wait of 450 ms beside a sleep of 900 ms is tried again until it took about as long as it should, as tests
// of timeouts do. Time may pass strangely for a while, but not for ever.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

static Clock::duration waited() {
  std::mutex mutex;
  std::condition_variable changed;
  bool value = false;
  std::thread late([&] {
    std::this_thread::sleep_for(milliseconds(900));
    const std::lock_guard lock(mutex);
    value = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  const Clock::time_point begin = Clock::now();
  changed.wait_for(lock, milliseconds(450), [&] { return value; });
  const Clock::duration took = Clock::now() - begin;
  lock.unlock();
  late.join();
  return took;
}

int main() {
  for (;;) {
    const Clock::duration took = waited();
    if (took >= milliseconds(450) && took < milliseconds(600)) return 0;
  }
}
