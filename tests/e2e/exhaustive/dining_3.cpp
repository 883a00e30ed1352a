// SPDX-License-Identifier: Apache-2.0
// Three philosophers, each takes the left fork and then the right one. Each fork has two users, one of whom is
// first: 2^3 = 8 combinations. All with the one for whom it is the right fork first is a cycle (each would have
// eaten before the other had started): 7, one of which is the deadlock.
//
//   sc: 7
//   c11: 7
//   finding: deadlock
#include <mutex>

#include "together.h"

std::mutex fork_[3];

template <int kLeft>
void dine() {
  const std::lock_guard left(fork_[kLeft]);
  const std::lock_guard right(fork_[(kLeft + 1) % 3]);
}

int main() { together(dine<0>, dine<1>, dine<2>); }
