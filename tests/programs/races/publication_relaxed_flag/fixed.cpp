// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: release and acquire on the flag order the data; a relaxed poll before the acquire load does no harm.
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
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    // Coherence: this load reads the same store again, and now it synchronises with it.
    bool again = ready.load(std::memory_order_acquire);
    assert(again && data == 42);
  });
  writer.join();
  reader.join();
}
