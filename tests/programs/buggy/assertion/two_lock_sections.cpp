// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Each call locks properly, but "is it empty" and "take one" are two calls: the queue may be emptied in between.
#include <cassert>
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
    assert(!items_.empty());
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
