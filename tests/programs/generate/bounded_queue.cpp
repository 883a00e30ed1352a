// SPDX-License-Identifier: Apache-2.0
// A queue of bounded size whose methods were written without a lock. plants.txt lists its races; REPAIRED has none.
// RUN: generate
#include <array>
#include <mutex>
#include <thread>
#include <vector>

#include "repair.h"

class BoundedQueue {
 public:
  bool put(int item) {
    const Guard guard(mutex_);
    if (count_ == kCapacity) return false;
    items_[tail_ % kCapacity] = item;
    tail_ = tail_ + 1;
    count_ = count_ + 1;
    last_ = item;
    if (count_ > most_) most_ = count_;
    return true;
  }
  int take() {
    const Guard guard(mutex_);
    if (count_ == 0) return -1;
    const int item = items_[head_ % kCapacity];
    head_ = head_ + 1;
    count_ = count_ - 1;
    taken_ = taken_ + 1;
    return item;
  }
  int peek() {
    const Guard guard(mutex_);
    return count_ == 0 ? -1 : items_[head_ % kCapacity];
  }
  unsigned long work() {
    const Guard guard(mutex_);
    return count_ + taken_;
  }
  void clear() {
    const Guard guard(mutex_);
    head_ = 0;
    tail_ = 0;
    count_ = 0;
    most_ = 0;
    taken_ = 0;
  }

 private:
  static constexpr unsigned long kCapacity = 8;
  std::mutex mutex_;
  std::array<int, kCapacity> items_ = {};
  unsigned long head_ = 0;
  unsigned long tail_ = 0;
  unsigned long count_ = 0;
  unsigned long most_ = 0;
  unsigned long taken_ = 0;
  int last_ = 0;
};

BoundedQueue queue;

int main() {
  queue.put(1);
  queue.put(2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([i] { queue.put(i); });
    threads.emplace_back([] {
      queue.take();
      queue.work();
    });
    threads.emplace_back([] {
      queue.peek();
      queue.clear();
    });
  }
  for (std::thread& thread : threads) thread.join();
}
