// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: writes under the exclusive lock, reads under the shared one.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex guard;
static int hits = 0;

static void look_up() {
  {
    std::unique_lock lock(guard);
    hits += 1;
  }
  std::shared_lock lock(guard);
  assert(hits == 1 || hits == 2);
}

int main() {
  std::thread first(look_up);
  std::thread second(look_up);
  first.join();
  second.join();
}
