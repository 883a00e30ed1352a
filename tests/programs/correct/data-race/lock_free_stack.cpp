// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: links are atomic, so a late read of one is no race, and a tag beside the head makes the late task's
// compare-exchange fail. The payload is plain: the task that popped a node has it alone.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

static constexpr std::uint32_t kEnd = ~std::uint32_t{0};

struct Node {
  std::atomic<std::uint32_t> next{kEnd};
  int uses = 0;
};

static Node nodes[2];
static std::atomic<std::uint64_t> head{kEnd};  // tag in the upper half, index in the lower

static std::uint32_t index_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
static std::uint64_t next_word(std::uint64_t old, std::uint32_t index) { return ((old >> 32) + 1) << 32 | index; }

static void push(std::uint32_t index) {
  std::uint64_t top = head.load(std::memory_order_relaxed);
  do nodes[index].next.store(index_of(top), std::memory_order_relaxed);
  while (!head.compare_exchange_weak(top, next_word(top, index), std::memory_order_release, std::memory_order_relaxed));
}

static std::uint32_t pop() {
  std::uint64_t top = head.load(std::memory_order_acquire);
  while (index_of(top) != kEnd) {
    std::uint32_t next = nodes[index_of(top)].next.load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(top, next_word(top, next), std::memory_order_acquire)) return index_of(top);
  }
  return kEnd;
}

static void work() {
  for (int i = 0; i < 3; ++i) {
    std::uint32_t index = pop();
    if (index == kEnd) continue;
    nodes[index].uses += 1;
    push(index);
  }
}

int main() {
  push(0);
  push(1);
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(nodes[0].uses + nodes[1].uses == 6);  // two nodes for two tasks: no pop can find the stack empty
}
