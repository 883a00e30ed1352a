// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// std::call_once and pthread_once: one task initialises, the others wait and then see everything it wrote.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::once_flag flag;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table = 0;
static int hooks = 0;

int main() {
  std::vector<std::thread> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([] {
      std::call_once(flag, [] { table += 5; });
      assert(table == 5);
      pthread_once(&once, [] { ++hooks; });
      assert(hooks == 1);
    });
  }
  for (auto& task : tasks) task.join();
}
