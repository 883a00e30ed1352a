// SPDX-License-Identifier: Apache-2.0
// Three tasks, each with a variable and a lock of its own: nothing to order. 1.
//
//   sc: 1
//   c11: 1
#include <atomic>
#include <mutex>

#include "together.h"

std::atomic<int> x, y, z;
std::mutex a, b, c;

template <std::atomic<int>& value, std::mutex& lock>
void work() {
  for (int i = 0; i < 3; ++i) {
    const std::lock_guard guard(lock);
    value.store(i);
  }
}

int main() { together(work<x, a>, work<y, b>, work<z, c>); }
