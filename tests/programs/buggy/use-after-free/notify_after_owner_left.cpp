// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// SAYS: notifies a condition variable in a block of
// The event is notified after its mutex is given back: the one who waits for it may have seen the flag by then, and be
// done with the event.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace {

class Event {
 public:
  void set() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      set_ = true;
    }
    condition_.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    condition_.wait(lock, [this] { return set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool set_ = false;
};

}  // namespace

int main() {
  auto event = std::make_unique<Event>();
  std::thread setter([&event = *event] { event.set(); });
  event->wait();
  event.reset();
  setter.join();
}
