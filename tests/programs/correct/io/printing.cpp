// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// printf and iostream from several tasks: the stream locks are no finding, and no line is torn by a character.
#include <cstdio>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex cout_mutex;

int main() {
  std::vector<std::thread> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([i] {
      std::printf("task %d prints\n", i);
      std::lock_guard lock(cout_mutex);
      std::cout << "task " << i << " streams" << std::endl;
    });
  }
  for (auto& task : tasks) task.join();
}
