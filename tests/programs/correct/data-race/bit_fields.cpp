// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a bit-field of width zero ends the memory location, so the two may be written by two tasks.
#include <cassert>
#include <thread>

struct Flags {
  unsigned opened : 4;
  unsigned : 0;
  unsigned closed : 4;
};

static Flags flags;

int main() {
  std::thread opener([] { flags.opened = 1; });
  std::thread closer([] { flags.closed = 1; });
  opener.join();
  closer.join();
  assert(flags.opened == 1 && flags.closed == 1);
}
