// SPDX-License-Identifier: Apache-2.0
// Two tasks take two locks in opposite order. Per lock one of them is first: four combinations. Second at its first
// lock and first at its second for one of them is a cycle: 3, one of which is the deadlock.
//
//   sc: 3
//   c11: 3
//   finding: deadlock
#include <mutex>

#include "together.h"

std::mutex a, b;

int main() {
  together(
      [] {
        const std::lock_guard first(a);
        const std::lock_guard second(b);
      },
      [] {
        const std::lock_guard first(b);
        const std::lock_guard second(a);
      });
}
