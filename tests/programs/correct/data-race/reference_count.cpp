// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the drop releases what the task did; the last one acquires what all others did.
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  std::atomic<int> references{3};
  int value[3] = {};
  ~Object() { assert(value[0] + value[1] + value[2] == 3); }
};

static void use(Object* object, int index) {
  object->value[index] = 1;
  if (object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

int main() {
  Object* object = new Object;
  std::thread first(use, object, 0);
  std::thread second(use, object, 1);
  use(object, 2);
  first.join();
  second.join();
}
