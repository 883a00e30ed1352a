// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// STANDARD: c++20
// Correct by the standard, but not with the semaphore of libstdc++ 12 (its bug 104928). To wait, acquire() reads the
// counter, looks whether a permit is left, and if not sleeps until the counter differs from what it read first. A task
// that reads 1, then finds 0 because another holds the permit, sleeps "until it is not 1"; when the permit has come
// back meanwhile the counter is 1 again, and nobody wakes it.
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  std::counting_semaphore<1> permit(1);
  std::vector<std::thread> tasks;
  for (int i = 0; i < 2; ++i) {
    tasks.emplace_back([&] {
      permit.acquire();
      permit.release();
    });
  }
  for (auto& task : tasks) task.join();
}
