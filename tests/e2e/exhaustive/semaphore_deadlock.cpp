// SPDX-License-Identifier: Apache-2.0
// Two tasks want one unit each and nobody gives one back: either gets it, the other waits for ever. 2, both
// deadlocks.
//
//   sc: 2
//   c11: 2
//   finding: deadlock
#include <semaphore.h>

#include "together.h"

sem_t unit;

int main() {
  sem_init(&unit, 0, 1);
  together([] { sem_wait(&unit); }, [] { sem_wait(&unit); });
}
