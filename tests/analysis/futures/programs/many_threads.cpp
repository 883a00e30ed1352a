// SPDX-License-Identifier: Apache-2.0
// Threads of one kind see each other's writes, but what each has for itself is its own.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

std::mutex lock;
int total = 0;  // [start]

void work(int rounds) {
  int own = 0;
  const auto add = [&own](int i) { own += i; };
  for (int i = 0; i < rounds; ++i) add(i);
  std::lock_guard<std::mutex> guard(lock);
  total = total + own;         // total = π start [sum]  [sum]
  std::printf("%d\n", total);  // total = sum
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
  std::printf("%d\n", total);  // total = sum
}
