// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the initialisation of a static local runs once, and everyone who passes it is ordered after it ([stmt.dcl]).
#include <cassert>
#include <thread>

struct Table {
  int values[4];
  int* first;
  Table() : values{1, 2, 3, 4}, first(values) {}
};

static const Table& table() {
  static const Table made;
  return made;
}

int main() {
  auto use = [] { assert(*table().first == 1 && table().values[3] == 4); };
  std::thread first(use);
  std::thread second(use);
  std::thread third(use);
  first.join();
  second.join();
  third.join();
}
