// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the streams of stdio lock themselves; two tasks may print to one, and each call is whole.
#include <cstdio>
#include <thread>

int main() {
  std::thread first([] {
    std::printf("one %d\n", 1);
    std::fputs("one again\n", stdout);
  });
  std::thread second([] {
    std::printf("two %s\n", "words");
    std::fflush(stdout);
    std::puts("two again");
  });
  first.join();
  second.join();
}
