// SPDX-License-Identifier: Apache-2.0
// explore_rate, 3 threads: a chain of stages joined by condition variables.
#include <condition_variable>
#include <mutex>
#include <thread>

class Slot {
 public:
  void put(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !full_; });
    value_ = value;
    full_ = true;
    changed_.notify_all();
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return full_; });
    full_ = false;
    changed_.notify_all();
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int value_ = 0;
  bool full_ = false;
};

int main() {
  Slot first;
  Slot second;
  int sum = 0;
  std::thread source([&] {
    for (int i = 1; i <= 5; ++i) first.put(i);
  });
  std::thread middle([&] {
    for (int i = 1; i <= 5; ++i) second.put(2 * first.take());
  });
  std::thread sink([&] {
    for (int i = 1; i <= 5; ++i) sum += second.take();
  });
  source.join();
  middle.join();
  sink.join();
  return sum == 30 ? 0 : 1;
}
