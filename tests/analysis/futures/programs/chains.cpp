// SPDX-License-Identifier: Apache-2.0
// Pointers to pointers, pointers that change, lists, and objects that several pointers share.
#include <cstdio>
#include <memory>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};
Node first;
Node second;  // [value1]
int x = 0;    // [x1]
int y = 0;    // [int2]
int* p = &x;  // [int1]
int** pp = &p;

int main() {
  const auto shared = std::make_shared<int>(4);  // [int3]
  first.next = &second;                          // [next1]
  std::thread t([shared] {
    **pp = 1;               // *(int **) = int1  [x2]
    *pp = &y;               // [p1]
    *p = 2;                 // p = φ int1 p1  [x3]
    first.next->value = 3;  // Node::next = next1  [value2]
    *shared = 6;            // [x4]
  });
  std::printf("%d\n", x);             // x = π x1 x2 x3 x4
  std::printf("%d\n", *p);            // *(int*) = π x1 int2 int3 x2 x3 x4; p = π int1 p1
  std::printf("%d\n", second.value);  // Node::value = π value1 value2
  std::printf("%d\n", *shared);       // *(int*) = π x1 int2 int3 x2 x3 x4
  t.join();
  std::printf("%d\n", y);  // y = φ int2 x2 x3 x4
}
