// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept (Boehm, "Can seqlocks get along with programming language memory models?"): the data is atomic and relaxed; the
// release fence keeps it after the odd version, the acquire fence keeps the second look at the version after it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> version{0};
static std::atomic<int> left{0};
static std::atomic<int> right{0};

static void write(int value) {
  unsigned now = version.load(std::memory_order_relaxed);
  version.store(now + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  left.store(value, std::memory_order_relaxed);
  right.store(value, std::memory_order_relaxed);
  version.store(now + 2, std::memory_order_release);
}

static bool read(int& a, int& b) {
  unsigned before = version.load(std::memory_order_acquire);
  a = left.load(std::memory_order_relaxed);
  b = right.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  return before % 2 == 0 && version.load(std::memory_order_relaxed) == before;
}

int main() {
  std::thread reader([] {
    int a = 0;
    int b = 0;
    while (!read(a, b)) std::this_thread::yield();
    assert(a == b);
  });
  std::thread writer([] {
    write(1);
    write(2);
  });
  writer.join();
  reader.join();
}
