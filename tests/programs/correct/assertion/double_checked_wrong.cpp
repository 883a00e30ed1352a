// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: with the second check.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::atomic<bool> built{false};
static std::atomic<int> constructions{0};

static void instance() {
  if (!built.load()) {
    std::lock_guard lock(mutex);
    if (built.load()) return;
    constructions.fetch_add(1);
    built.store(true);
  }
}

int main() {
  std::thread first(instance);
  std::thread second(instance);
  first.join();
  second.join();
  assert(constructions.load() == 1);
}
