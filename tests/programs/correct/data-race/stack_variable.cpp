// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the owner writes before the task is created and after it is joined.
#include <cassert>
#include <thread>

int main() {
  int count = 1;
  std::thread worker([&count] { count += 1; });
  worker.join();
  count += 1;
  assert(count == 3);
}
