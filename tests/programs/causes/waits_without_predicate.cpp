// SPDX-License-Identifier: Apache-2.0
// The consumer waits for a notification instead of for the order: one that was placed before it waits is never seen.
// FINDING: lost-wakeup, deadlock
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

class Counter {
 public:
  void place(std::string order) {
    std::lock_guard lock(mutex_);
    order_ = std::move(order);
    placed_.notify_one();  // CAUSE: first
  }
  std::string next() {
    std::unique_lock lock(mutex_);
    placed_.wait(lock);  // CAUSE: second
    return order_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable placed_;
  std::string order_;
};

int main() {
  Counter counter;
  std::thread cook([&] { counter.next(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  counter.place("soup");
  cook.join();
}
