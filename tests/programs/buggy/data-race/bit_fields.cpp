// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: adjacent bit-fields are one memory location ([intro.memory]); writing one rewrites its neighbour.
#include <thread>

struct Flags {
  unsigned opened : 4;
  unsigned closed : 4;
};

static Flags flags;

int main() {
  std::thread opener([] { flags.opened = 1; });
  std::thread closer([] { flags.closed = 1; });
  opener.join();
  closer.join();
}
