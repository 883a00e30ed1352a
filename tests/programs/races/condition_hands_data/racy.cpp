// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the data is completed after the lock that hands it over is released.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static bool ready = false;
static int data = 0;

int main() {
  int seen = 0;
  std::thread consumer([&] {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return ready; });
    seen = data;
  });
  std::thread producer([] {
    {
      std::lock_guard lock(guard);
      ready = true;
    }
    changed.notify_one();
    data = 42;
  });
  consumer.join();
  producer.join();
}
