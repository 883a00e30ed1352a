// SPDX-License-Identifier: Apache-2.0
// A pointer that is looked at twice, and taken away by another task between the two looks. Nothing orders the accesses,
// so both are scheduling points once the race has been seen. In the execution that shows it first, the two looks follow
// each other without a point between them.
#include <assert.h>

#include <thread>

int value;
int* place = &value;

int main() {
  std::thread user([] {
    if (place != nullptr) assert(place != nullptr);
  });
  place = nullptr;
  user.join();
}
