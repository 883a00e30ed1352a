// SPDX-License-Identifier: Apache-2.0
// What call_once runs has happened for everybody who comes past it.
#include <cstdio>
#include <mutex>
#include <thread>

std::once_flag flag;
int n = 0;  // [start]

void set() { n = 1; }  // [set]

void use() {
  std::call_once(flag, set);
  std::printf("%d\n", n);  // n = π set
}

int main() {
  std::thread a(use);
  std::thread b(use);
  a.join();
  b.join();
}
