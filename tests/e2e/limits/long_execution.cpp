// SPDX-License-Identifier: Apache-2.0
// A long execution that ends with a bug. With a step limit below its length it is cut before: no finding, but the
// summary counts it. With the limit above, the bug is found.
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::thread([] {
    std::mutex mutex;
    for (int i = 0; i < 2000; ++i) std::lock_guard lock(mutex);
  }).join();
  assert(false);
}
