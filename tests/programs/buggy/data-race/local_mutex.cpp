// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the lock is a local variable, so every call has its own.
#include <mutex>
#include <thread>

static int count = 0;

static void work() {
  std::mutex guard;
  std::lock_guard lock(guard);
  count += 1;
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
