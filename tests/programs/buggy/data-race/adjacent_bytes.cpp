// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: both tasks write the same byte; that they write the same value does not help.
#include <thread>

static unsigned char bytes[8];

int main() {
  std::thread first([] { bytes[3] = 1; });
  std::thread second([] { bytes[3] = 1; });
  first.join();
  second.join();
}
