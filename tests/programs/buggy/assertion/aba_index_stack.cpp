// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// A lock-free free list without a tag: the head comes back to the same index while its successor has been taken.
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kEnd = -1;
static std::atomic<int> next_free[3] = {1, 2, kEnd};
static std::atomic<int> head{0};
static std::atomic<bool> taken[3];

static int pop() {
  int index = head.load();
  while (index != kEnd) {
    const int after = next_free[index].load();
    if (head.compare_exchange_strong(index, after)) {
      assert(!taken[index].exchange(true));  // nobody else owns it
      return index;
    }
  }
  return kEnd;
}

static void push(int index) {
  taken[index].store(false);
  int old = head.load();
  do {
    next_free[index].store(old);
  } while (!head.compare_exchange_strong(old, index));
}

int main() {
  std::thread one([] {
    pop();
    pop();
  });
  std::thread other([] {
    const int a = pop();
    pop();
    if (a != kEnd) push(a);
  });
  one.join();
  other.join();
}
