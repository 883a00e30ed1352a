// SPDX-License-Identifier: Apache-2.0
// Functions of the library that read and write what they get.
#include <cstdio>
#include <thread>
#include <utility>

int a = 1;  // [a1]
int b = 2;  // [b1]
int c = 0;  // [c1]

int main() {
  std::thread t([] {
    std::swap(a, b);          // a = a1; b = b1  [b2]
    c = std::exchange(b, 7);  // b = φ b1 b2  [b3]
  });
  std::printf("%d %d\n", a, b);  // a = π a1 b2; b = π b1 b2 b3
  c += a;                        // a = π a1 b2; c = π c1 b3  [c2]
  t.join();
  std::printf("%d %d %d\n", a, b, c);  // a = φ a1 b2; b = φ b1 b2 b3; c = φ b3 c2
}
