// SPDX-License-Identifier: Apache-2.0
// The order in which the two tasks access `data` is made by a library that is not instrumented, with atomics of its
// own. Ravel does not see it. The race that is none is told apart, by the name of the library, and is no finding.
// Annotations tell the order: then there is nothing to tell apart. A race beside the library (`racing`) is a finding.
// Calls through pointers (`pointers`) are not noticed: what the library orders is then reported as a race.
#include <cassert>
#include <string_view>
#include <thread>

extern "C" {
void hand_over();
bool is_handed_over();
void __tsan_acquire(void* address);  // NOLINT: the names of the ThreadSanitizer interface
void __tsan_release(void* address);  // NOLINT
}

void (*volatile give)() = &hand_over;
bool (*volatile is_given)() = &is_handed_over;

int data = 0;
int visits = 0;

int main(int, char** arguments) {
  const std::string_view how = arguments[1];
  std::thread giver([=] {
    data = 1;
    if (how == "annotated") __tsan_release(&data);
    how == "pointers" ? give() : hand_over();
    if (how == "racing") ++visits;
  });
  while (!(how == "pointers" ? is_given() : is_handed_over())) std::this_thread::yield();
  if (how == "annotated") __tsan_acquire(&data);
  assert(data == 1);
  if (how == "racing") ++visits;
  giver.join();
}
