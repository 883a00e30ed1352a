// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A bounded buffer with two conditions, two producers and two consumers; an end mark per consumer stops them.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Buffer {
 public:
  void put(int item) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return items_.size() < 2; });
    items_.push_back(item);
    not_empty_.notify_one();
  }
  int take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return !items_.empty(); });
    const int item = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<int> items_;
};

int main() {
  Buffer buffer;
  int sums[2] = {0, 0};
  auto produce = [&](int base) {
    for (int i = 0; i < 3; ++i) buffer.put(base + i);
    buffer.put(-1);
  };
  auto consume = [&](int& sum) {
    for (int item = buffer.take(); item != -1; item = buffer.take()) sum += item;
  };
  std::thread p1(produce, 1);
  std::thread p2(produce, 10);
  std::thread c1([&] { consume(sums[0]); });
  std::thread c2([&] { consume(sums[1]); });
  p1.join();
  p2.join();
  c1.join();
  c2.join();
  assert(sums[0] + sums[1] == 1 + 2 + 3 + 10 + 11 + 12);
}
