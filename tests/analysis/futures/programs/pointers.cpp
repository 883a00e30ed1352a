// SPDX-License-Identifier: Apache-2.0
// Pointers that change: anything of the type whose address is known.
#include <cstdio>
#include <thread>

int a = 1;  // [a1]
int b = 2;  // [b2]
int c = 3;

int main(int argc, char**) {
  int* chosen = &a;
  if (argc > 1) chosen = &b;
  std::thread writes([chosen] {
    *chosen = 4;  // [through]
    c = 5;
  });
  std::printf("%d\n", a);  // a = π a1 through
  std::printf("%d\n", b);  // b = π b2 through
  writes.join();
}
