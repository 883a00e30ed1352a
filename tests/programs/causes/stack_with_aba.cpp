// SPDX-License-Identifier: Apache-2.0
// A lock-free stack of recycled nodes without version numbers: between a pop's read of `next` and its compare-
// exchange the same node comes back with another successor.
// FINDING: assertion
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};

class FreeList {
 public:
  void push(Node* node) {
    node->next.store(head_.load());  // CAUSE: second
    Node* expected = node->next.load();
    while (!head_.compare_exchange_strong(expected, node)) node->next.store(expected);  // CAUSE: second
  }
  Node* pop() {
    Node* node = head_.load();
    for (;;) {
      if (node == nullptr) return nullptr;
      Node* const next = node->next.load();                        // CAUSE: first
      if (head_.compare_exchange_strong(node, next)) return node;  // CAUSE: second
    }
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

int main() {
  std::array<Node, 2> nodes;
  FreeList list;
  list.push(&nodes[1]);
  list.push(&nodes[0]);
  Node* kept = nullptr;
  Node* taken = nullptr;
  std::thread one([&] { taken = list.pop(); });
  std::thread two([&] {
    Node* const first = list.pop();
    kept = list.pop();
    if (first != nullptr) list.push(first);
  });
  one.join();
  two.join();
  Node* const last = list.pop();
  assert(last == nullptr || last != kept);
  assert(taken == nullptr || taken != kept);
}
