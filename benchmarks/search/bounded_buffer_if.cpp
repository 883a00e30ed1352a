// SPDX-License-Identifier: Apache-2.0
// Bounded buffer that asks once. A consumer that is woken takes without looking at the fill again.
// Shown by: a consumer is woken, and another consumer that never slept takes the element first.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable filled;
  int fill = 0;
  auto get = [&] {
    std::unique_lock lock(mutex);
    if (fill == 0) {
      filled.wait(lock);
    }
    --fill;
    assert(fill >= 0);
  };
  auto put = [&] {
    std::lock_guard lock(mutex);
    ++fill;
    filled.notify_one();
  };
  std::thread producer([&] {
    put();
    put();
  });
  std::thread first(get);
  std::thread second(get);
  producer.join();
  first.join();
  second.join();
}
