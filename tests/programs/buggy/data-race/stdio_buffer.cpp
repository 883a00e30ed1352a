// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: an output buffer of the program's own, filled by two tasks without a lock.
#include <cstddef>
#include <thread>

static char buffer[64];
static std::size_t used = 0;

static void append(const char* text) {
  for (; *text != '\0' && used < sizeof buffer; ++text) buffer[used++] = *text;
}

int main() {
  std::thread first(append, "one\n");
  std::thread second(append, "two\n");
  first.join();
  second.join();
}
