// SPDX-License-Identifier: Apache-2.0
// Figure 6: four threads add to a variable each, a fifth sums up without waiting for them.
#include <chrono>
#include <cstdio>
#include <thread>

int sum = 0;
int n0 = 0;  // [n01]
int n1 = 0;  // [n11]
int n2 = 0;  // [n21]
int n3 = 0;  // [n31]

int main() {
  std::thread t1([] { n0 += 1; });  // n0 = n01  [n02]
  std::thread t2([] { n1 += 1; });  // n1 = n11  [n12]
  std::thread t3([] { n2 += 1; });  // n2 = n21  [n22]
  std::thread t4([] { n3 += 1; });  // n3 = n31  [n32]
  std::thread t5([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    sum = n0     // n0 = π n01 n02
          + n1   // n1 = π n11 n12
          + n2   // n2 = π n21 n22
          + n3;  // n3 = π n31 n32
    std::printf("%d\n", sum);
  });
  t1.join();
  t2.join();
  t3.join();
  t4.join();
  t5.join();
}
