// SPDX-License-Identifier: Apache-2.0
// RUN: --timeout 500ms
// EXPECT: timeout
// A worker that starts before the step width is set counts up by nothing, for ever, without touching shared memory.
#include <atomic>
#include <thread>

static std::atomic<int> step{0};

static void count_to(int limit, int width) {
  volatile int n = 0;
  while (n < limit) n = n + width;
}

int main() {
  std::thread worker([] { count_to(12, step.load()); });
  step.store(3);
  worker.join();
}
