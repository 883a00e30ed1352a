// SPDX-License-Identifier: Apache-2.0
// Locals that reach threads by std::ref, by pointer and by capture; lambdas in variables; a functor.
#include <cstdio>
#include <functional>
#include <thread>

void by_reference(int& n) { n = 1; }  // [one]
void by_pointer(int* n) { *n = 2; }   // [two]

struct Functor {
  int& n;
  void operator()() const { n = 3; }  // [three]
};

int main() {
  int n = 0;                                // [start]
  const auto by_capture = [&n] { n = 4; };  // [four]
  std::thread a(by_reference, std::ref(n));
  std::thread b(by_pointer, &n);
  std::thread c(Functor{n});
  std::thread d(by_capture);
  std::printf("%d\n", n);  // n = π start one two three four
  a.join();
  b.join();
  c.join();
  d.join();
}
