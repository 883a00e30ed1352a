// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a free list of the program's own hands memory from task to task without a lock.
#include <thread>

struct Node {
  Node* next = nullptr;
  int value = 0;
};

static Node nodes[2];
static Node* free_list = nullptr;

static Node* take() {
  Node* node = free_list;
  if (node != nullptr) free_list = node->next;
  return node;
}

static void give(Node* node) {
  node->next = free_list;
  free_list = node;
}

static void work() {
  Node* node = take();
  if (node == nullptr) return;
  node->value = 1;
  give(node);
}

int main() {
  give(&nodes[0]);
  give(&nodes[1]);
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
