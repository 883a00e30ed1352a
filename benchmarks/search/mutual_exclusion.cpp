// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion by flags, the flag raised too late. A thread looks at the other's flag and then raises its own.
// Shown by: both look before either raises.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<bool> flags[2] = {};
  std::atomic<int> inside{0};
  auto enter = [&](int me) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (!flags[1 - me].load()) {
        flags[me].store(true);
        assert(inside.fetch_add(1) == 0);
        inside.fetch_sub(1);
        flags[me].store(false);
      }
    }
  };
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
}
