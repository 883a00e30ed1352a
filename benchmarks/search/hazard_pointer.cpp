// SPDX-License-Identifier: Apache-2.0
// Hazard pointer announced too late. The reader loads the pointer and announces it without loading it once more.
// Shown by: the writer replaces the object, looks at the announcements and frees the old one between the two.
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  int value = 1;
};

int main() {
  std::atomic<Object*> current{new Object};
  std::atomic<Object*> hazard{nullptr};
  std::thread reader([&] {
    for (int round = 0; round < 2; ++round) {
      Object* const object = current.load();
      hazard.store(object);
      assert(object->value == 1);
      hazard.store(nullptr);
    }
  });
  std::thread writer([&] {
    Object* const old = current.exchange(new Object);
    if (hazard.load() != old) {
      delete old;
    }
  });
  reader.join();
  writer.join();
}
