// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: memset clears sixteen bytes, memcpy reads the last eight of them.
#include <cstring>
#include <thread>

static char buffer[32];

int main() {
  char copy[16] = {};
  std::thread clearer([] { std::memset(buffer, 0, 16); });
  std::thread copier([&] { std::memcpy(copy, buffer + 8, 16); });
  clearer.join();
  copier.join();
}
