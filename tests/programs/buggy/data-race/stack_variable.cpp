// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a local variable is handed to a task by reference and changed by its owner before the join.
#include <thread>

int main() {
  int count = 0;
  std::thread worker([&count] { count += 1; });
  count += 1;
  worker.join();
}
