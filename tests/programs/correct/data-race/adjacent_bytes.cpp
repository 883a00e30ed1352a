// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: each byte is a memory location of its own, whatever word it lies in, and so is each member of a packed word.
#include <cassert>
#include <cstdint>
#include <thread>

struct Record {
  std::uint8_t kind;
  std::uint8_t flags;
  std::uint16_t size;
  std::uint32_t sum;
};

static unsigned char bytes[8];
static Record record;

int main() {
  std::thread first([] {
    for (int i = 0; i < 8; i += 2) bytes[i] = 1;
    record.kind = 1;
    record.size = 2;
  });
  std::thread second([] {
    for (int i = 1; i < 8; i += 2) bytes[i] = 1;
    record.flags = 1;
    record.sum = 2;
  });
  first.join();
  second.join();
  for (unsigned char byte : bytes) assert(byte == 1);
  assert(record.kind + record.flags + record.size + record.sum == 6);
}
