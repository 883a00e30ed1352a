// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a block that was freed may come back from new in another task; the allocator orders the two lives of the memory
// ([new.delete.dataraces]), so plain accesses to both are no race.
#include <cassert>
#include <thread>

struct Node {
  int value;
  int more[5];
};

static void work(int value) {
  for (int i = 0; i < 3; ++i) {
    Node* node = new Node;
    node->value = value + i;
    for (int& field : node->more) field = value;
    assert(node->value == value + i && node->more[4] == value);
    delete node;
  }
}

int main() {
  std::thread first(work, 10);
  std::thread second(work, 20);
  std::thread third(work, 30);
  first.join();
  second.join();
  third.join();
}
