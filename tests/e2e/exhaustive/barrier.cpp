// SPDX-License-Identifier: Apache-2.0
// Three tasks meet at a barrier. The order of arrival counts (the last is told so), that of leaving does not: 3! =
// 6.
//
//   sc: 6
//   c11: 6
#include "together.h"

pthread_barrier_t barrier;

void work() { pthread_barrier_wait(&barrier); }

int main() {
  pthread_barrier_init(&barrier, nullptr, 3);
  together(work, work, work);
}
