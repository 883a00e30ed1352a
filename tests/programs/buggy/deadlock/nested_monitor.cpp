// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// The consumer waits on a condition variable while it holds an outer lock that the producer needs.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex registry_mutex;
static std::mutex queue_mutex;
static std::condition_variable queue_filled;
static int queued = 0;

int main() {
  std::thread consumer([] {
    std::lock_guard registry(registry_mutex);
    std::unique_lock queue(queue_mutex);
    queue_filled.wait(queue, [] { return queued > 0; });
    --queued;
  });
  std::thread producer([] {
    std::lock_guard registry(registry_mutex);
    std::lock_guard queue(queue_mutex);
    ++queued;
    queue_filled.notify_one();
  });
  consumer.join();
  producer.join();
}
