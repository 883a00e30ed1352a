// SPDX-License-Identifier: Apache-2.0
// The runner waits for the starting gun with one wait and no predicate, under the lock that the gun needs: no shot is
// lost, but a wake-up without a shot is believed.
// FINDING: assertion
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class StartingLine {
 public:
  void get_set() {
    std::unique_lock lock(mutex_);
    if (!fired_) shot_.wait(lock);  // CAUSE: first, second
    assert(fired_);                 // CAUSE: first
  }
  void fire() {
    std::lock_guard lock(mutex_);
    fired_ = true;       // CAUSE: second
    shot_.notify_all();  // CAUSE: second
  }

 private:
  std::mutex mutex_;
  std::condition_variable shot_;
  bool fired_ = false;
};

int main() {
  StartingLine line;
  std::thread runner([&] { line.get_set(); });
  line.fire();
  runner.join();
}
