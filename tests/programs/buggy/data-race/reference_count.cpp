// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the count is dropped relaxed, so the last use in one task is not ordered before the destruction in the other.
#include <atomic>
#include <thread>

struct Object {
  std::atomic<int> references{2};
  int value[2] = {};
  ~Object() { value[0] = value[1] = -1; }
};

static void use(Object* object, int index) {
  object->value[index] = 1;
  if (object->references.fetch_sub(1, std::memory_order_relaxed) == 1) delete object;
}

int main() {
  Object* object = new Object;
  std::thread first(use, object, 0);
  std::thread second(use, object, 1);
  first.join();
  second.join();
}
