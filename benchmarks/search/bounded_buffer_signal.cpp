// SPDX-License-Identifier: Apache-2.0
// Bounded buffer with a missed signal. Producers and consumers wait on one condition and wake one waiter.
// Shown by: a producer's signal wakes another producer instead of the consumer; the buffer is full and all sleep.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Buffer {
 public:
  void put() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return fill_ < 1; });
    ++fill_;
    changed_.notify_one();
  }

  void get() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return fill_ > 0; });
    --fill_;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int fill_ = 0;
};

int main() {
  Buffer buffer;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      buffer.put();
      buffer.put();
    });
    threads.emplace_back([&] {
      buffer.get();
      buffer.get();
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}
