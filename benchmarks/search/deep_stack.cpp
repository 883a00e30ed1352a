// SPDX-License-Identifier: Apache-2.0
// Deep lock-free stack: ABA behind a version of one bit. Every push flips the version, so the head repeats only after
// an even number of pushes.
// Shown by: a thread sleeps in its pop; meanwhile the others pop two nodes and push so that the same head returns with
// the same version above another successor; the sleeper's swap brings back a node in use, and a third thread takes it
// before its owner has put it down. About 400,000 random schedules show it once.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned nodes = 3;

class Stack {
 public:
  void push(unsigned node) {
    unsigned head = head_.load();
    do {
      next_[node].store(head >> 1);
    } while (!head_.compare_exchange_strong(head, (node << 1) | (~head & 1)));
  }

  unsigned pop() {
    unsigned head = head_.load();
    while ((head >> 1) != nodes && !head_.compare_exchange_strong(head, (next_[head >> 1].load() << 1) | (head & 1))) {
    }
    return head >> 1;
  }

 private:
  std::atomic<unsigned> head_{nodes << 1};
  std::array<std::atomic<unsigned>, nodes> next_{};
};

int main() {
  Stack stack;
  std::array<std::atomic<bool>, nodes> used{};
  for (unsigned node = 0; node < nodes; ++node) {
    stack.push(node);
  }
  auto work = [&] {
    for (int round = 0; round < 2; ++round) {
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
