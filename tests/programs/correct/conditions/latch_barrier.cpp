// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// A latch starts all together, a barrier has a completion step.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main() {
  constexpr int kTasks = 3;
  std::latch ready(kTasks);
  int completed = 0;
  std::barrier phase(kTasks, [&]() noexcept { ++completed; });
  std::atomic<int> started{0};
  std::vector<std::thread> tasks;
  for (int i = 0; i < kTasks; ++i) {
    tasks.emplace_back([&] {
      started.fetch_add(1);
      ready.arrive_and_wait();
      assert(started.load() == kTasks);
      phase.arrive_and_wait();
      phase.arrive_and_drop();
    });
  }
  for (auto& task : tasks) task.join();
  assert(completed == 2);
}
