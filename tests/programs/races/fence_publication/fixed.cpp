// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a release fence before a relaxed store synchronises with an acquire fence after the relaxed load that reads it
// ([atomics.fences]); so does a fence with an acquire load.
#include <atomic>
#include <cassert>
#include <thread>

static int data = 0;
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread by_fence([] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data == 42);
  });
  std::thread by_load([] {
    while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
    assert(data == 42);
  });
  writer.join();
  by_fence.join();
  by_load.join();
}
