// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: data written before the lock is taken is ordered by the unlock; the consumer may read it after it let go.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static bool ready = false;
static int data = 0;

int main() {
  std::thread consumer([] {
    {
      std::unique_lock lock(guard);
      changed.wait(lock, [] { return ready; });
    }
    assert(data == 42);
  });
  std::thread producer([] {
    data = 42;
    {
      std::lock_guard lock(guard);
      ready = true;
    }
    changed.notify_one();
  });
  consumer.join();
  producer.join();
}
