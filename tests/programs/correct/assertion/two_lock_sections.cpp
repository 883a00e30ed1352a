// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: taking looks again.
#include <mutex>
#include <thread>
#include <vector>

class Queue {
 public:
  bool empty() {
    std::lock_guard lock(mutex_);
    return items_.empty();
  }
  int take() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return 0;
    const int item = items_.back();
    items_.pop_back();
    return item;
  }

 private:
  std::mutex mutex_;
  std::vector<int> items_{1};
};

int main() {
  Queue queue;
  auto drain = [&] {
    while (!queue.empty()) queue.take();
  };
  std::thread first(drain);
  std::thread second(drain);
  first.join();
  second.join();
}
