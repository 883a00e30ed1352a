// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Phases separated by a pthread barrier: everyone sees all of the phase before; exactly one is the serial task.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  constexpr int kTasks = 3;
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kTasks);
  int cells[kTasks] = {};
  std::atomic<int> serial{0};
  std::vector<std::thread> tasks;
  for (int self = 0; self < kTasks; ++self) {
    tasks.emplace_back([&, self] {
      for (int phase = 1; phase <= 2; ++phase) {
        cells[self] = phase;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial.fetch_add(1);
        assert(cells[(self + 1) % kTasks] == phase);
        pthread_barrier_wait(&barrier);
      }
    });
  }
  for (auto& task : tasks) task.join();
  assert(serial.load() == 2);
  pthread_barrier_destroy(&barrier);
}
