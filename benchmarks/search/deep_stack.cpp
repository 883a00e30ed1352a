// SPDX-License-Identifier: Apache-2.0
// Deep lock-free stack: ABA behind a version of two bits. Every push and every pop moves the version on, so the same
// head comes back with the same version only after four of them, or eight, and only if other threads overlap.
// Shown by: a thread sleeps in its pop, between reading the successor and its swap; meanwhile the others pop and push
// until the same head is back, with the same version, above another successor; the sleeper's swap makes a node the head
// that is in use, and somebody takes it before its owner has put it down. Random schedules show it once in hundreds of
// thousands.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned nodes = 3;  // also the end of the list

class Stack {
 public:
  void push(unsigned node) {
    unsigned head = head_.load();
    do {
      next_[node].store(head / 4);
    } while (!head_.compare_exchange_strong(head, node * 4 + (head + 1) % 4));
  }

  unsigned pop() {
    unsigned head = head_.load();
    while (head / 4 != nodes && !head_.compare_exchange_strong(head, next_[head / 4].load() * 4 + (head + 1) % 4)) {
    }
    return head / 4;
  }

 private:
  std::atomic<unsigned> head_{nodes * 4};  // node * 4 + version
  std::array<std::atomic<unsigned>, nodes> next_{};
};

int main() {
  Stack stack;
  std::array<std::atomic<bool>, nodes> used{};
  for (unsigned node = 0; node < nodes; ++node) {
    stack.push(node);
  }
  auto work = [&] {
    for (int round = 0; round < 3; ++round) {
      const unsigned node = stack.pop();
      if (node != nodes) {
        assert(!used[node].exchange(true));
        used[node].store(false);
        stack.push(node);
      }
    }
  };
  std::thread threads[3];
  for (std::thread& thread : threads) {
    thread = std::thread(work);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}
