// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a static pointer that is set on first use by hand has no guard; only the initialisation of a static has one.
#include <thread>

static int table_storage[4] = {1, 2, 3, 4};

static int* table() {
  static int* pointer = nullptr;
  if (pointer == nullptr) pointer = table_storage;
  return pointer;
}

int main() {
  int seen[2] = {};
  std::thread first([&] { seen[0] = table()[0]; });
  std::thread second([&] { seen[1] = table()[1]; });
  first.join();
  second.join();
}
