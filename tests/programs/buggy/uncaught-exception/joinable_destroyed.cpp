// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: uncaught-exception
// The early return forgets to join: the destructor of a joinable std::thread calls std::terminate.
#include <atomic>
#include <thread>

static int run() {
  std::atomic<bool> cancelled{false};
  std::thread watcher([&] { cancelled.store(true); });
  if (cancelled.load()) return 0;
  watcher.join();
  return 0;
}

int main() { return run(); }
