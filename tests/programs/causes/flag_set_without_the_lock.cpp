// SPDX-License-Identifier: Apache-2.0
// The flag is atomic, so it is set without the lock; the waiter has looked at it and is about to wait when it is
// notified.
// FINDING: lost-wakeup, deadlock
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Gate {
 public:
  void open() {
    open_.store(true);      // CAUSE: second
    changed_.notify_all();  // CAUSE: first
  }
  void pass() {
    std::unique_lock lock(mutex_);
    while (!open_.load()) {  // CAUSE: first
      changed_.wait(lock);   // CAUSE: second
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> open_{false};
};

int main() {
  Gate gate;
  std::thread visitor([&] { gate.pass(); });
  gate.open();
  visitor.join();
}
