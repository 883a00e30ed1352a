// SPDX-License-Identifier: Apache-2.0
// Who is called is known when the program runs: function pointers, std::function, virtual methods.
#include <cstdio>
#include <functional>
#include <thread>

int n = 0;               // [n1]
int m = 0;               // [m1]
void one() { n = 1; }    // [n2]
void two() { n = 2; }    // [n3]
void (*chosen)() = one;  // [chosen1]

struct Base {
  virtual ~Base() = default;
  virtual void act() { m = 1; }  // [m2]
};
struct Derived : Base {
  void act() override { m = 2; }  // [m3]
};

int main() {
  Derived derived;
  Base* base = &derived;                                 // [base1]
  const std::function<void()> f = [&] { base->act(); };  // base = base1
  std::thread t([&f] {
    chosen();  // chosen = π chosen1 chosen2
    f();
  });
  chosen = two;                  // [chosen2]
  std::printf("%d %d\n", n, m);  // m = π m1 m2 m3; n = π n1 n2 n3
  t.join();
}
