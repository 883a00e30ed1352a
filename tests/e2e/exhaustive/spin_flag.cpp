// SPDX-License-Identifier: Apache-2.0
// One task waits for a flag in a loop. It sees the flag at once, or finds it unset and then goes round again when it
// has been set; going round without anything having changed is not a schedule of its own: 2. With acquire loads of
// the C++ model the old value may be seen again after the flag was set, as often as Ravel lets a loop see an old
// store.
//
//   sc: 2
#include <atomic>

#include "together.h"

std::atomic<int> flag;

int main() {
  together(
      [] {
        while (flag.load(std::memory_order_acquire) == 0) {
        }
      },
      [] { flag.store(1, std::memory_order_release); });
}
