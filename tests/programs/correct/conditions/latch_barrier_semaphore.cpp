// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The C++20 trio: a latch starts all together, a barrier with a completion step, a semaphore of two permits.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  constexpr int kTasks = 3;
  std::latch ready(kTasks);
  int completed = 0;
  std::barrier phase(kTasks, [&]() noexcept { ++completed; });
  std::counting_semaphore<2> permits(2);
  std::atomic<int> inside{0};
  std::atomic<int> started{0};
  std::vector<std::thread> tasks;
  for (int i = 0; i < kTasks; ++i) {
    tasks.emplace_back([&] {
      started.fetch_add(1);
      ready.arrive_and_wait();
      assert(started.load() == kTasks);
      phase.arrive_and_wait();
      permits.acquire();
      assert(inside.fetch_add(1) < 2);
      inside.fetch_sub(1);
      permits.release();
      phase.arrive_and_drop();
    });
  }
  for (auto& task : tasks) task.join();
  assert(completed == 2);
}
