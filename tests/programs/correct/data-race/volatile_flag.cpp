// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: an atomic flag with its default order; a volatile that only one task at a time touches is a plain variable.
#include <atomic>
#include <cassert>
#include <thread>

static volatile int data = 0;
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data = 42;
    ready = true;
  });
  std::thread reader([] {
    while (!ready) std::this_thread::yield();
    assert(data == 42);
  });
  writer.join();
  reader.join();
}
