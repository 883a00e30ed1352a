// SPDX-License-Identifier: Apache-2.0
// What a thread gets by value is its own: parameters and captured variables, until it lends them out itself.
#include <cstdio>
#include <thread>

int result = 0;

void looks(const int* p) { result = *p; }  // n = π n1 n2  [result1]
void run(int n) {                          // [n1]
  std::thread inner(looks, &n);
  n = 5;  // [n2]
  inner.join();
}

int main() {
  int n = 3;
  std::thread t([n]() mutable {               // [n3]
    n += 1;                                   // n = n3  [n4]
    std::thread inner([&n] { result = n; });  // n = π n4 n5
    n = 7;                                    // [n5]
    inner.join();
  });
  t.join();
  std::thread own([n, k = 2]() mutable {
    n = n + k;
    k = n;
  });
  std::thread u(run, 3);
  own.join();
  u.join();
  std::printf("%d\n", result);  // result = result1
}
