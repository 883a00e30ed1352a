// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the drop is the last thing a task does with the object.
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  std::atomic<int> references{2};
  std::atomic<int> uses{0};
  ~Object() { assert(uses.load() == 2); }
};

static void use_and_drop(Object* object) {
  object->uses.fetch_add(1);
  if (object->references.fetch_sub(1) == 1) delete object;
}

int main() {
  Object* object = new Object;
  std::thread first(use_and_drop, object);
  std::thread second(use_and_drop, object);
  first.join();
  second.join();
}
