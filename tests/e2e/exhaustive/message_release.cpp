// SPDX-License-Identifier: Apache-2.0
// The same with release and acquire on y: who sees the new y sees the new x. 3 in both models.
//
//   sc: 3
//   c11: 3
#include <atomic>

#include "together.h"

std::atomic<int> x, y;

int main() {
  together(
      [] {
        x.store(1, std::memory_order_relaxed);
        y.store(1, std::memory_order_release);
      },
      [] {
        const int seen = y.load(std::memory_order_acquire);
        require(x.load(std::memory_order_relaxed) >= seen);
      });
}
