// SPDX-License-Identifier: Apache-2.0
// Figure 6: four threads add to a variable each, a fifth sums up without waiting for them.
#include <chrono>
#include <cstdio>
#include <thread>

int sum = 0;
int n0 = 0;
int n1 = 0;
int n2 = 0;
int n3 = 0;

int main() {
  std::thread t1([] { n0 += 1; });
  std::thread t2([] { n1 += 1; });
  std::thread t3([] { n2 += 1; });
  std::thread t4([] { n3 += 1; });
  std::thread t5([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    sum = n0 + n1 + n2 + n3;
    std::printf("%d\n", sum);
  });
  t1.join();
  t2.join();
  t3.join();
  t4.join();
  t5.join();
}
