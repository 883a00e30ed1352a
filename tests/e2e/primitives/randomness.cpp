// SPDX-License-Identifier: Apache-2.0
// Sources of randomness work, and two threads that draw get different numbers.
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <random>
#include <set>
#include <thread>

#include "expect.h"

int main() {
  unsigned char bytes[64] = {};
  EXPECT_EQ(getrandom(bytes, sizeof bytes, 0), sizeof bytes);
  std::set<unsigned char> different(bytes, bytes + sizeof bytes);
  EXPECT(different.size() > 16);
  EXPECT_EQ(getentropy(bytes, sizeof bytes), 0);
  unsigned char many[512];
  EXPECT_ERRNO(getentropy(many, sizeof many), EIO);
  std::random_device device;
  const unsigned first = device();
  EXPECT(first != device() || first != device());
  for (int i = 0; i < 100; ++i) EXPECT(arc4random_uniform(10) < 10);
  EXPECT_EQ(arc4random_uniform(1), 0);
  arc4random_buf(bytes, sizeof bytes);
  std::uint32_t words[2] = {};
  std::thread one([&] { words[0] = arc4random(); });
  std::thread two([&] { words[1] = arc4random(); });
  one.join();
  two.join();
  EXPECT(words[0] != words[1]);
  return 0;
}
