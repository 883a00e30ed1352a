// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the release store of the flag synchronises with the acquire load that reads it.
#include <atomic>
#include <cassert>
#include <thread>

static int data = 0;
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  std::thread reader([] {
    if (ready.load(std::memory_order_acquire)) assert(data == 42);
  });
  writer.join();
  reader.join();
}
