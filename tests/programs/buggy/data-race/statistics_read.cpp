// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: "only for statistics" is no excuse; the unlocked read races with the locked increments.
#include <mutex>
#include <thread>

static std::mutex guard;
static long requests = 0;

int main() {
  long shown = 0;
  std::thread worker([] {
    std::lock_guard lock(guard);
    requests += 1;
  });
  std::thread monitor([&] { shown = requests; });
  worker.join();
  monitor.join();
}
