// SPDX-License-Identifier: Apache-2.0
// The order in which the two tasks access `data` is made by a library that is not instrumented, with atomics of its
// own. Ravel does not see it and reports a race that is none. Annotations tell it: then nothing is found.
#include <cassert>
#include <cstring>
#include <thread>

extern "C" {
void hand_over();
bool is_handed_over();
void __tsan_acquire(void* address);  // NOLINT: the names of the ThreadSanitizer interface
void __tsan_release(void* address);  // NOLINT
}

int data = 0;

int main(int, char** arguments) {
  const bool annotated = std::strcmp(arguments[1], "annotated") == 0;
  std::thread giver([=] {
    data = 1;
    if (annotated) __tsan_release(&data);
    hand_over();
  });
  while (!is_handed_over()) std::this_thread::yield();
  if (annotated) __tsan_acquire(&data);
  assert(data == 1);
  giver.join();
}
