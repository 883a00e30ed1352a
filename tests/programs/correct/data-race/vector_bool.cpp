// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: elements of any other vector are memory locations of their own.
#include <cassert>
#include <thread>
#include <vector>

static std::vector<char> seen(8);

int main() {
  std::thread first([] { seen[0] = true; });
  std::thread second([] { seen[1] = true; });
  first.join();
  second.join();
  assert(seen[0] && seen[1]);
}
