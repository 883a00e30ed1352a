// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: an error variable of the program's own is one variable for all tasks, unlike errno.
#include <thread>

static int last_error = 0;

static int parse(int value) {
  if (value < 0) {
    last_error = 1;
    return 0;
  }
  last_error = 0;
  return value;
}

int main() {
  int errors[2] = {};
  std::thread first([&] {
    parse(-1);
    errors[0] = last_error;
  });
  std::thread second([&] {
    parse(1);
    errors[1] = last_error;
  });
  first.join();
  second.join();
}
