// SPDX-License-Identifier: Apache-2.0
// Every task creates the next and joins it: one order. 1.
//
//   sc: 1
//   c11: 1
#include "together.h"

int value = 0;

void* work(void* left) {
  ++value;
  const long more = reinterpret_cast<long>(left);
  if (more == 0) return nullptr;
  pthread_t next;
  pthread_create(&next, nullptr, work, reinterpret_cast<void*>(more - 1));
  pthread_join(next, nullptr);
  ++value;
  return nullptr;
}

int main() {
  pthread_t first;
  pthread_create(&first, nullptr, work, reinterpret_cast<void*>(3L));
  pthread_join(first, nullptr);
  require(value == 7);
}
