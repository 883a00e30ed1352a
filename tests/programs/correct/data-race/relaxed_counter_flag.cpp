// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the acquire load reads the last increment; the first one heads a release sequence that the second continues.
#include <atomic>
#include <cassert>
#include <thread>

static int results[2];
static std::atomic<int> done{0};

static void work(int index) {
  results[index] = index + 1;
  done.fetch_add(1, std::memory_order_release);
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  while (done.load(std::memory_order_acquire) < 2) std::this_thread::yield();
  assert(results[0] + results[1] == 3);
  first.join();
  second.join();
}
