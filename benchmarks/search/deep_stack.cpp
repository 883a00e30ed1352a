// SPDX-License-Identifier: Apache-2.0
// Deep lock-free stack: ABA behind a version that counts to six. Every push and every pop moves the version on, so the
// same head comes back with the same version only after six of them, or twelve, and only if other threads overlap.
// Shown by: a thread sleeps in its pop, between reading the successor and its swap; meanwhile the others pop and push
// until the same head is back, with the same version, above another successor; the sleeper's swap makes a node the head
// that is in use, and somebody takes it before its owner has put it down. Random schedules show it once in hundreds of
// thousands.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned nodes = 3;  // also the end of the list
constexpr unsigned versions = 6;

class Stack {
 public:
  void push(unsigned node) {
    unsigned head = head_.load();
    do {
      next_[node].store(head / versions);
    } while (!head_.compare_exchange_strong(head, node * versions + (head + 1) % versions));
  }

  unsigned pop() {
    unsigned head = head_.load();
    while (head / versions != nodes &&
           !head_.compare_exchange_strong(head, next_[head / versions].load() * versions + (head + 1) % versions)) {
    }
    return head / versions;
  }

 private:
  std::atomic<unsigned> head_{nodes * versions};  // node * versions + version
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
