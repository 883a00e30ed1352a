// SPDX-License-Identifier: Apache-2.0
// The two-lock queue of Michael and Scott (PODC 1996): a dummy node, a lock for each end. `next` is what both ends
// may touch at the same time, so it is atomic; relaxed (argument "weak") it does not publish the value under the C++
// model.
//
//   proved: sc c11
//   refuted: c11 weak
#include <string.h>

#include <atomic>
#include <mutex>

#include "together.h"

struct Node {
  int value = 0;
  std::atomic<Node*> next = nullptr;
};

Node nodes[3];
Node* head = &nodes[0];
Node* tail = &nodes[0];
std::mutex head_lock, tail_lock;
bool weak = false;
int sum = 0;

void put(Node* node, int value) {
  node->value = value;
  const std::lock_guard guard(tail_lock);
  tail->next.store(node, weak ? std::memory_order_relaxed : std::memory_order_release);
  tail = node;
}

bool get(int* value) {
  const std::lock_guard guard(head_lock);
  Node* const next = head->next.load(weak ? std::memory_order_relaxed : std::memory_order_acquire);
  if (next == nullptr) return false;
  *value = next->value;
  head = next;
  return true;
}

int main(int argc, char** argv) {
  weak = argc > 1 && strcmp(argv[1], "weak") == 0;
  together([] { put(&nodes[1], 1); }, [] { put(&nodes[2], 2); },
           [] {
             int value = 0;
             while (get(&value)) sum += value;
           });
  int value = 0;
  while (get(&value)) sum += value;
  require(sum == 3);
}
