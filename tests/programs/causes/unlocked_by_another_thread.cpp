// SPDX-License-Identifier: Apache-2.0
// A mutex is used as a signal: the main thread locks it and the worker that ends first unlocks it.
// FINDING: lock-misuse
#include <atomic>
#include <mutex>
#include <thread>

class Turnstile {
 public:
  void enter() {
    mutex_.lock();        // CAUSE: first
    inside_.store(true);  // CAUSE: first
  }
  void leave() {
    if (inside_.exchange(false)) mutex_.unlock();  // CAUSE: second
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> inside_{false};
};

int main() {
  Turnstile turnstile;
  std::thread visitor([&] {
    turnstile.enter();
    turnstile.leave();
  });
  std::thread guard([&] { turnstile.leave(); });
  visitor.join();
  guard.join();
}
