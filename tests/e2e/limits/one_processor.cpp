// SPDX-License-Identifier: Apache-2.0
// Tasks run one at a time: sched_getcpu and getcpu give the same number to all of them.
#include <sched.h>

#include <cassert>
#include <thread>

int main() {
  std::thread([] {
    const int number = sched_getcpu();
    std::thread other([=] {
      for (int i = 0; i < 10; ++i) {
        unsigned processor = 0;
        assert(getcpu(&processor, nullptr) == 0 && static_cast<int>(processor) == number);
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
