// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a guard without a name is a temporary; it unlocks at the end of its own line.
#include <mutex>
#include <thread>

static std::mutex guard;
static int count = 0;

static void work() {
  std::lock_guard<std::mutex>{guard};
  count += 1;
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
