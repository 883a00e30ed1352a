// SPDX-License-Identifier: Apache-2.0
// Expressions that choose: an object of two, the right side only perhaps, a read and a write in one.
#include <cstdio>
#include <thread>

int a = 0;  // [a2]
int b = 0;  // [b1]
int c = 0;  // [c1]

int main() {
  std::thread t([] {
    a = 1;                       // [a1]
    b = a && c ? b + 1 : b - 1;  // a = a1; b = π b1 b2 b3; c = π c1 c2 b3  [b4]
    c = c || a;                  // a = a1; c = π c1 c2 b3  [c3]
  });
  int d = a ? b : c;  // a = π a2 a1; b = π b1 b4; c = π c1 c3
  d += a && b++;      // a = π a2 a1; b = π b1 b4  [b2]
  c ^= 2;             // c = π c1 c3  [c2]
  (a ? b : c) = 8;    // a = π a2 a1  [b3]
  std::printf("%d\n", d);
  t.join();
  std::printf("%d %d %d\n", a, b, c);  // a = a1; b = φ b4 b2 b3; c = φ c3 c2 b3
}
