// SPDX-License-Identifier: Apache-2.0
// Threads that are perhaps never started: joining what there is does not mean that they have run.
#include <cstdio>
#include <thread>
#include <vector>

int n = 0;  // [start]
int m = 0;  // [zero]

void add(std::vector<std::thread>& threads, bool yes) {
  if (!yes) return;
  threads.emplace_back([] { n = 1; });  // [one]
}

int main(int argc, char**) {
  std::vector<std::thread> threads;
  add(threads, argc > 1);
  for (auto& thread : threads) thread.join();
  std::printf("%d\n", n);  // n = φ start one
  {
    std::jthread thread;
    if (argc > 1) thread = std::jthread([] { m = 1; });  // [m1]
  }
  std::printf("%d\n", m);  // m = φ zero m1
}
