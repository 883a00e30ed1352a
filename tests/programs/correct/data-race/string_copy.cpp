// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// Kept: copies of one string by several tasks only read it; each task then changes its own copy.
#include <cassert>
#include <string>
#include <thread>

static const std::string name = "a name that is too long for the small buffer of a string";

static void work(char mark) {
  std::string mine = name;
  mine[0] = mark;
  mine += mark;
  assert(mine.size() == name.size() + 1 && name[0] == 'a');
}

int main() {
  std::thread first(work, 'x');
  std::thread second(work, 'y');
  first.join();
  second.join();
}
