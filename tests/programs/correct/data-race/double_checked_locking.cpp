// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the pointer is atomic; the release store under the lock synchronises with the acquire load of the first check.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int size = 7;
};

static std::mutex guard;
static std::atomic<Config*> config{nullptr};

static Config* instance() {
  Config* found = config.load(std::memory_order_acquire);
  if (found == nullptr) {
    std::lock_guard lock(guard);
    found = config.load(std::memory_order_relaxed);  // the lock orders this one
    if (found == nullptr) {
      found = new Config;
      config.store(found, std::memory_order_release);
    }
  }
  return found;
}

int main() {
  auto use = [] { assert(instance()->size == 7); };
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  delete config.load();
}
