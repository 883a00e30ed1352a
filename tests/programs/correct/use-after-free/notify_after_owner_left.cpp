// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The event is notified before its mutex is given back, so nobody is done with it before. The mutex itself may go as
// soon as it is unlocked: the unlock is the last that its holder does to it.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace {

class Event {
 public:
  void set() {
    const std::lock_guard<std::mutex> lock(mutex_);
    set_ = true;
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

void wait_for_local(std::thread& setter) {
  Event event;
  setter = std::thread([&event] { event.set(); });
  event.wait();
}

}  // namespace

int main() {
  auto event = std::make_unique<Event>();
  std::thread setter([&event = *event] { event.set(); });
  event->wait();
  event.reset();
  setter.join();
  wait_for_local(setter);
  setter.join();
}
