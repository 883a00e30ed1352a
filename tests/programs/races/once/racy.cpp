// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: "once" by a flag of its own; both tasks read and write the flag and what it guards.
#include <thread>

static bool done = false;
static int value = 0;

static int get() {
  if (!done) {
    value = 42;
    done = true;
  }
  return value;
}

int main() {
  int seen[2] = {};
  std::thread first([&] { seen[0] = get(); });
  std::thread second([&] { seen[1] = get(); });
  first.join();
  second.join();
}
