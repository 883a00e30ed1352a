// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a pop reads the link of a node that another task has popped already and is pushing again, which writes the
// link plainly. (It is the ABA problem as well: the head may come back to a node whose link is another one by then.)
#include <atomic>
#include <thread>

struct Node {
  Node* next = nullptr;
};

static Node nodes[2];
static std::atomic<Node*> head{nullptr};

static void push(Node* node) {
  Node* top = head.load(std::memory_order_relaxed);
  do node->next = top;
  while (!head.compare_exchange_weak(top, node, std::memory_order_release, std::memory_order_relaxed));
}

static Node* pop() {
  Node* top = head.load(std::memory_order_acquire);
  while (top != nullptr) {
    if (head.compare_exchange_weak(top, top->next, std::memory_order_acquire)) return top;
  }
  return nullptr;
}

static void work() {
  for (int i = 0; i < 3; ++i) {
    if (Node* node = pop()) push(node);
  }
}

int main() {
  push(&nodes[0]);
  push(&nodes[1]);
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
