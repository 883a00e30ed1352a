// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the ranges meet but do not overlap, and their common edge is not aligned to anything. Reads may overlap.
#include <cassert>
#include <cstring>
#include <thread>

static char buffer[32];
static char source[13] = "twelve chars";

int main() {
  std::thread clearer([] { std::memset(buffer, 1, 13); });
  std::thread copier([] {
    std::memcpy(buffer + 13, source, sizeof source);
    std::memmove(buffer + 15, buffer + 13, 4);
  });
  std::thread reader([] {
    char copy[16];
    std::strcpy(copy, source);
    assert(std::strlen(copy) == 12 && std::memcmp(copy, source, sizeof source) == 0);
  });
  clearer.join();
  copier.join();
  reader.join();
  assert(buffer[12] == 1 && buffer[13] == 't' && buffer[15] == 't' && buffer[31] == 0);
}
