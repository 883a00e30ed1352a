// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the value that the decrement itself returns decides.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<int> references{2};
static void* block = std::malloc(24);

static void drop() {
  if (references.fetch_sub(1) == 1) std::free(block);
}

int main() {
  std::thread first(drop);
  std::thread second(drop);
  first.join();
  second.join();
}
