// SPDX-License-Identifier: Apache-2.0
// Writes and reads in functions that are called, on every way or only perhaps.
#include <cstdio>
#include <thread>

int n = 0;  // [start]
int m = 0;  // [first]

void set(int value) { n = value; }  // [set]
void perhaps(bool yes) {
  if (yes) m = 1;  // [perhaps]
}
int get() { return n; }  // n = set

int main(int argc, char**) {
  set(1);
  perhaps(argc > 1);
  std::thread reads([] {
    std::printf("%d\n", get());
    std::printf("%d\n", m);  // m = φ first perhaps
  });
  reads.join();
}
