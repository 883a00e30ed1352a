// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <thread>

#include "shared.h"

void first();
void second();

static void local_helper(Box& box) { box.put(1); }

int main() {
  Box box;
  std::thread t1(first);
  std::thread t2(second);
  std::thread t3([&box] { local_helper(box); });
  std::printf("%d %d\n", current(), box.take());
  t1.join();
  t2.join();
  t3.join();
}
