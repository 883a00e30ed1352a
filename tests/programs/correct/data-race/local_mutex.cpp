// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a static local is one lock for all calls.
#include <cassert>
#include <mutex>
#include <thread>

static int count = 0;

static void work() {
  static std::mutex guard;
  std::lock_guard lock(guard);
  count += 1;
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(count == 2);
}
