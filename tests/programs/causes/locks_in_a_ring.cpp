// SPDX-License-Identifier: Apache-2.0
// Three caches that each hold their own lock while they ask the next one: a circle of three locks.
// FINDING: deadlock
#include <array>
#include <mutex>
#include <thread>

struct Shard {
  std::mutex mutex;
  int entries = 0;
};

static std::array<Shard, 3> shards;

static void rebalance(std::size_t from) {
  Shard& source = shards[from];
  Shard& target = shards[(from + 1) % shards.size()];
  std::lock_guard source_lock(source.mutex);
  --source.entries;
  std::lock_guard target_lock(target.mutex);  // CAUSE: first, second
  ++target.entries;
}

int main() {
  std::thread a(rebalance, 0);
  std::thread b(rebalance, 1);
  std::thread c(rebalance, 2);
  a.join();
  b.join();
  c.join();
  return shards[0].entries + shards[1].entries + shards[2].entries;
}
