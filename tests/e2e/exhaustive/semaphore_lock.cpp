// SPDX-License-Identifier: Apache-2.0
// A semaphore with one unit used as a lock by three tasks: 3! = 6.
//
//   sc: 6
//   c11: 6
#include <semaphore.h>

#include "together.h"

sem_t unit;
int counter = 0;

void work() {
  sem_wait(&unit);
  ++counter;
  sem_post(&unit);
}

int main() {
  sem_init(&unit, 0, 1);
  together(work, work, work);
  require(counter == 3);
}
