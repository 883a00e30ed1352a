// SPDX-License-Identifier: Apache-2.0
// One task locks and unlocks, the other tries once and unlocks if it got it. The try is before the lock (and then so
// is its unlock), between lock and unlock (and fails), or after the unlock: 3.
//
//   sc: 3
//   c11: 3
#include <mutex>

#include "together.h"

std::mutex m;

int main() {
  together([] { const std::lock_guard guard(m); },
           [] {
             if (m.try_lock()) m.unlock();
           });
}
