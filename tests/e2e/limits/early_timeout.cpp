// SPDX-License-Identifier: Apache-2.0
// The answer takes no time at all, and the patience is an hour. A timed wait may end by its timeout all the same: no
// time is long enough to be an order.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable answered;
  bool answer = false;
  std::thread server([&] {
    std::lock_guard lock(mutex);
    answer = true;
    answered.notify_one();
  });
  std::unique_lock lock(mutex);
  const bool in_time = answered.wait_for(lock, std::chrono::hours(1), [&] { return answer; });
  lock.unlock();
  server.join();
  assert(in_time);
}
