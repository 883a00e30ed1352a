// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: double-free
// The count is dropped in one step and looked at in another: both tasks may see that it is zero. The count lives
// outside the object, so that reading it is no use after free.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<int> references{2};
static void* block = std::malloc(24);

static void drop() {
  references.fetch_sub(1);
  if (references.load() == 0) std::free(block);
}

int main() {
  std::thread first(drop);
  std::thread second(drop);
  first.join();
  second.join();
}
