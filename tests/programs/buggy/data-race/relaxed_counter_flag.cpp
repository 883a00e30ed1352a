// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a relaxed counter that says "both are done" orders nothing that they did.
#include <atomic>
#include <thread>

static int results[2];
static std::atomic<int> done{0};

static void work(int index) {
  results[index] = index + 1;
  done.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  while (done.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
  int sum = results[0] + results[1];
  first.join();
  second.join();
  return sum < 0;
}
