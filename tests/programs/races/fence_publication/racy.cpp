// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the writer's release fence has no acquire fence to synchronise with on the reader's side.
#include <atomic>
#include <thread>

static int data = 0;
static std::atomic<bool> ready{false};
static int seen = 0;

int main() {
  std::thread writer([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    seen = data;
  });
  writer.join();
  reader.join();
}
