// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: who uses the slot next sets its mutex up again. That is a new mutex: it orders nothing with the old one.
#include <pthread.h>
#include <atomic>
#include <thread>

struct Slot {
  pthread_mutex_t lock;
  int value;
};

static Slot slot;
static std::atomic<bool> free_again{false};

static void use(int value) {
  pthread_mutex_init(&slot.lock, nullptr);
  pthread_mutex_lock(&slot.lock);
  slot.value = value;
  pthread_mutex_unlock(&slot.lock);
}

int main() {
  std::thread first([] {
    use(1);
    free_again.store(true, std::memory_order_relaxed);
  });
  std::thread second([] {
    while (!free_again.load(std::memory_order_relaxed)) std::this_thread::yield();
    use(2);
  });
  first.join();
  second.join();
}
