// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// The dispatcher copies the pointer to the listener under the lock and calls it after; the owner may have taken the
// listener out and destroyed it by then.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

struct Listener {
  std::atomic<int> events{0};
  void notify() { events.fetch_add(1); }
};

static std::mutex guard;
static Listener* registered = nullptr;

int main() {
  auto listener = std::make_unique<Listener>();
  registered = listener.get();
  std::thread dispatcher([] {
    Listener* target = nullptr;
    {
      std::lock_guard lock(guard);
      target = registered;
    }
    if (target != nullptr) target->notify();
  });
  std::thread owner([&listener] {
    {
      std::lock_guard lock(guard);
      registered = nullptr;
    }
    listener.reset();
  });
  dispatcher.join();
  owner.join();
}
