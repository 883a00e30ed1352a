// SPDX-License-Identifier: Apache-2.0
// Dekker's lock for two tasks. Correct with seq_cst in both models; with acquire and release (argument "weak") both
// may enter under the C++ model.
//
//   proved: sc c11
//   refuted: c11 weak
#include <string.h>

#include <atomic>

#include "together.h"

std::atomic<int> wants[2];
std::atomic<int> turn;
std::atomic<int> inside;
bool weak = false;

template <int kMe>
void work() {
  const auto store = weak ? std::memory_order_release : std::memory_order_seq_cst;
  const auto load = weak ? std::memory_order_acquire : std::memory_order_seq_cst;
  wants[kMe].store(1, store);
  while (wants[1 - kMe].load(load) == 1) {
    if (turn.load(load) != kMe) {
      wants[kMe].store(0, store);
      while (turn.load(load) != kMe) {
      }
      wants[kMe].store(1, store);
    }
  }
  require(inside.fetch_add(1, std::memory_order_relaxed) == 0);
  inside.fetch_sub(1, std::memory_order_relaxed);
  turn.store(1 - kMe, store);
  wants[kMe].store(0, store);
}

int main(int argc, char** argv) {
  weak = argc > 1 && strcmp(argv[1], "weak") == 0;
  together(work<0>, work<1>);
}
