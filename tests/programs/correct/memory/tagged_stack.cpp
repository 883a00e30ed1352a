// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A lock-free free list whose head carries a tag, so that an index that comes back is not mistaken for the old one.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

static constexpr std::uint32_t kEnd = ~std::uint32_t{0};
static std::atomic<std::uint32_t> next_free[3] = {1, 2, kEnd};
static std::atomic<std::uint64_t> head{0};  // tag in the upper half, index in the lower
static std::atomic<bool> taken[3];

static std::uint32_t index_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
static std::uint64_t next_word(std::uint64_t old, std::uint32_t index) { return ((old >> 32) + 1) << 32 | index; }

static std::uint32_t pop() {
  std::uint64_t old = head.load();
  while (index_of(old) != kEnd) {
    if (head.compare_exchange_weak(old, next_word(old, next_free[index_of(old)].load()))) {
      assert(!taken[index_of(old)].exchange(true));
      return index_of(old);
    }
  }
  return kEnd;
}

static void push(std::uint32_t index) {
  taken[index].store(false);
  std::uint64_t old = head.load();
  do {
    next_free[index].store(index_of(old));
  } while (!head.compare_exchange_weak(old, next_word(old, index)));
}

int main() {
  auto churn = [] {
    const std::uint32_t a = pop();
    pop();
    if (a != kEnd) push(a);
  };
  std::thread one(churn);
  std::thread other(churn);
  one.join();
  other.join();
}
