// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the guard has a name and lives to the end of the block.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex guard;
static int count = 0;

static void work() {
  std::lock_guard<std::mutex> lock{guard};
  count += 1;
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(count == 2);
}
