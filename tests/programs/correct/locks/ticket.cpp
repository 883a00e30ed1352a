// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A ticket lock: tasks spin on a plain load, without yielding, until their number is called.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::atomic<unsigned> next_ticket{0};
static std::atomic<unsigned> now_serving{0};
static int count = 0;

int main() {
  std::vector<std::thread> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([] {
      for (int round = 0; round < 2; ++round) {
        const unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
        while (now_serving.load(std::memory_order_acquire) != mine) {
        }
        ++count;
        now_serving.store(mine + 1, std::memory_order_release);
      }
    });
  }
  for (auto& task : tasks) task.join();
  assert(count == 6);
}
