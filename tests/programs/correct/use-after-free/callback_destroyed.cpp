// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the dispatcher keeps the listener alive while it calls it.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Listener {
  std::atomic<int> events{0};
  void notify() { events.fetch_add(1); }
  ~Listener() { assert(events.load() <= 1); }
};

static std::mutex guard;
static std::weak_ptr<Listener> registered;

int main() {
  auto listener = std::make_shared<Listener>();
  registered = listener;
  std::thread dispatcher([] {
    std::shared_ptr<Listener> target;
    {
      std::lock_guard lock(guard);
      target = registered.lock();
    }
    if (target != nullptr) target->notify();
  });
  std::thread owner([&listener] {
    {
      std::lock_guard lock(guard);
      registered.reset();
    }
    listener.reset();
  });
  dispatcher.join();
  owner.join();
}
