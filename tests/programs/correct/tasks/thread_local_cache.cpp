// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Per-task caches: each task starts with a fresh one, its destructor runs in the task and adds to the total.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static int total = 0;

struct Cache {
  int hits = 0;
  ~Cache() {
    std::lock_guard lock(mutex);
    total += hits;
  }
};

static thread_local Cache cache;
static thread_local int calls = 10;

static void look_up() {
  ++cache.hits;
  ++calls;
}

int main() {
  std::vector<std::thread> tasks;
  for (int i = 1; i <= 3; ++i) {
    tasks.emplace_back([i] {
      assert(cache.hits == 0 && calls == 10);
      for (int round = 0; round < i; ++round) look_up();
      assert(cache.hits == i && calls == 10 + i);
    });
  }
  for (auto& task : tasks) task.join();
  assert(total == 6);
}
