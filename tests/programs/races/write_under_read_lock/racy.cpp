// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: holders of a shared lock are not ordered among each other, and they write.
#include <shared_mutex>
#include <thread>

static std::shared_mutex guard;
static int hits = 0;

static void look_up() {
  std::shared_lock lock(guard);
  hits += 1;
}

int main() {
  std::thread first(look_up);
  std::thread second(look_up);
  first.join();
  second.join();
}
