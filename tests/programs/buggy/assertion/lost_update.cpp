// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Two unprotected increments of a plain counter: one may overwrite the other.
#include <cassert>
#include <thread>

static int hits = 0;

static void visit() { ++hits; }

int main() {
  std::thread first(visit);
  std::thread second(visit);
  first.join();
  second.join();
  assert(hits == 2);
}
