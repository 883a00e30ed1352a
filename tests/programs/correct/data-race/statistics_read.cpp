// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a counter that nothing depends on may be relaxed; it is never torn and never a race.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<long> requests{0};

int main() {
  std::thread worker([] { requests.fetch_add(1, std::memory_order_relaxed); });
  std::thread monitor([] { assert(requests.load(std::memory_order_relaxed) <= 1); });
  worker.join();
  monitor.join();
  assert(requests.load(std::memory_order_relaxed) == 1);
}
