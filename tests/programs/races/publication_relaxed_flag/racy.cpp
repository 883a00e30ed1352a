// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the flag is atomic, but relaxed operations synchronise with nothing, so the data is read unordered.
#include <atomic>
#include <thread>

static int data = 0;
static std::atomic<bool> ready{false};
static int seen = 0;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    seen = data;
  });
  writer.join();
  reader.join();
}
