// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// A task drops its reference before its last use of the object; if the other one dropped first, the object is gone.
#include <atomic>
#include <thread>

struct Object {
  std::atomic<int> references{2};
  std::atomic<int> uses{0};
};

static void drop(Object* object) {
  if (object->references.fetch_sub(1) == 1) delete object;
}

int main() {
  Object* object = new Object;
  std::thread early([object] {
    drop(object);
    object->uses.fetch_add(1);
  });
  std::thread proper([object] {
    object->uses.fetch_add(1);
    drop(object);
  });
  early.join();
  proper.join();
}
