// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Double-checked locking done right: acquire load, lock, second check, release store.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Config {
  int port = 80;
};

static std::mutex mutex;
static std::atomic<Config*> config{nullptr};
static std::unique_ptr<Config> owner;
static int constructions = 0;

static const Config& instance() {
  Config* seen = config.load(std::memory_order_acquire);
  if (seen == nullptr) {
    std::lock_guard lock(mutex);
    seen = config.load(std::memory_order_relaxed);
    if (seen == nullptr) {
      owner = std::make_unique<Config>();
      ++constructions;
      seen = owner.get();
      config.store(seen, std::memory_order_release);
    }
  }
  return *seen;
}

int main() {
  std::vector<std::thread> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([] { assert(instance().port == 80); });
  }
  for (auto& task : tasks) task.join();
  assert(constructions == 1);
}
