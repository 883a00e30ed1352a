// SPDX-License-Identifier: Apache-2.0
// What a thread runs is not known here: it may be anything that can be called.
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

int n = 0;  // [start]

void one() { n = 1; }  // [one]
void two() { n = 2; }  // [two]
void never() { n = 3; }

int main() {
  std::vector<std::function<void()>> tasks;
  tasks.push_back(one);
  tasks.push_back(two);
  std::thread runs(tasks[0]);
  std::printf("%d\n", n);  // n = π start one two
  runs.join();
}
