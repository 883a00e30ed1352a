// SPDX-License-Identifier: Apache-2.0
// ConTest, third experiment. Four threads wait until they are notified and then ask the subject for its value; but they
// are notified before the subject is there.
// Shown by: a waiting thread that looks between the two assignments.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

class Subject {
 public:
  explicit Subject(int value) : value_(value) {}
  int current_value() const { return value_; }

 private:
  int value_;
};

class ChangeNotification {
 public:
  void run() const {
    while (!notified_.load(std::memory_order_acquire)) std::this_thread::yield();
    const Subject* subject = subject_.load(std::memory_order_acquire);
    assert(subject != nullptr);
    assert(subject->current_value() == 42);
  }

  void change_notification(const Subject& subject) {
    notified_.store(true, std::memory_order_release);
    subject_.store(&subject, std::memory_order_release);
  }

 private:
  // Side by side in one line of the cache, as in an object of the paper.
  alignas(64) std::atomic<bool> notified_{false};
  std::atomic<const Subject*> subject_{nullptr};
};

int main() {
  const Subject subject(42);
  ChangeNotification change;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { change.run(); });
  change.change_notification(subject);
  for (std::thread& thread : threads) thread.join();
}
