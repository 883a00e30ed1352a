// SPDX-License-Identifier: Apache-2.0
// stop() joins the worker under the lock that the worker needs for its last round.
// FINDING: deadlock
#include <mutex>
#include <thread>

class Poller {
 public:
  void start() {
    thread_ = std::thread([this] { poll(); });
  }
  void stop() {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    thread_.join();  // CAUSE: second
  }
  int rounds() const { return rounds_; }

 private:
  void poll() {
    std::lock_guard lock(mutex_);  // CAUSE: first
    if (!stopping_) ++rounds_;
  }

  std::mutex mutex_;
  bool stopping_ = false;
  int rounds_ = 0;
  std::thread thread_;
};

int main() {
  Poller poller;
  poller.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  poller.stop();
  return poller.rounds() > 1 ? 1 : 0;
}
