// SPDX-License-Identifier: Apache-2.0
// Tasks run one at a time, on one processor: sched_getcpu gives the same number to all of them.
#include <sched.h>

#include <cassert>
#include <thread>

int main() {
  std::thread([] {
    const int number = sched_getcpu();
    std::thread other([=] {
      for (int i = 0; i < 10; ++i) {
        assert(sched_getcpu() == number);
        sched_yield();
      }
    });
    for (int i = 0; i < 10; ++i) {
      assert(sched_getcpu() == number);
      sched_yield();
    }
    other.join();
  }).join();
}
