// SPDX-License-Identifier: Apache-2.0
// Weak reference brought back to life. A user looks whether the object lives, then adds its reference.
// Shown by: the last owner drops its reference between the two, and the user reads freed memory.
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  int value = 42;
};

int main() {
  auto* object = new Object;
  std::atomic<int> references{1};
  auto drop = [&] {
    if (references.fetch_sub(1) == 1) {
      delete object;
    }
  };
  std::thread user([&] {
    if (references.load() > 0) {
      references.fetch_add(1);
      assert(object->value == 42);
      drop();
    }
  });
  std::thread owner(drop);
  user.join();
  owner.join();
}
