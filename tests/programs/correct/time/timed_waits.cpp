// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Timed waits that are right whichever way they end: the predicate decides, not the clock.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  std::condition_variable arrived;
  bool reply = false;
  std::thread server([&] {
    std::this_thread::sleep_for(2ms);
    std::lock_guard lock(mutex);
    reply = true;
    arrived.notify_one();
  });
  int timeouts = 0;
  {
    std::unique_lock lock(mutex);
    while (!arrived.wait_for(lock, 1ms, [&] { return reply; })) ++timeouts;
    assert(reply);
  }
  server.join();

  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread setter([&] { promise.set_value(1); });
  while (future.wait_for(1ms) != std::future_status::ready) ++timeouts;
  assert(future.get() == 1);
  setter.join();
}
