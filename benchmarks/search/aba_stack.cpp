// SPDX-License-Identifier: Apache-2.0
// Lock-free stack with the ABA problem. Nodes are reused, and the head carries no version.
// Shown by: a thread reads the head and its successor; another one pops both and pushes the first one back; the swap
// of the sleeper succeeds and makes a node the head that is in use.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

class Stack {
 public:
  void push(int node) {
    int head = head_.load();
    do {
      next_[node].store(head);
    } while (!head_.compare_exchange_strong(head, node));
  }

  int pop() {
    int head = head_.load();
    while (head >= 0 && !head_.compare_exchange_strong(head, next_[head].load())) {
    }
    return head;
  }

 private:
  std::atomic<int> head_{-1};
  std::array<std::atomic<int>, 3> next_{};
};

int main() {
  Stack stack;
  std::array<std::atomic<bool>, 3> used{};
  for (int node = 0; node < 3; ++node) {
    stack.push(node);
  }
  auto take = [&] {
    const int node = stack.pop();
    assert(node < 0 || !used[node].exchange(true));
    return node;
  };
  auto give = [&](int node) {
    if (node >= 0) {
      used[node].store(false);
      stack.push(node);
    }
  };
  std::thread sleeper([&] {
    const int one = take();
    const int two = take();
    give(two);
    give(one);
  });
  std::thread busy([&] {
    const int one = take();
    const int two = take();
    give(one);
    give(two);
  });
  sleeper.join();
  busy.join();
}
