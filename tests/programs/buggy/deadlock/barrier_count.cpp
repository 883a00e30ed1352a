// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// A worker that finds no work left returns without coming to the barrier, which still counts it.
#include <pthread.h>

#include <atomic>
#include <thread>
#include <vector>

int main() {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 3);
  std::atomic<int> work{4};
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([&] {
      if (work.fetch_sub(1) <= 0) return;
      work.fetch_sub(1);
      pthread_barrier_wait(&barrier);
    });
  }
  for (auto& worker : workers) worker.join();
  pthread_barrier_destroy(&barrier);
}
