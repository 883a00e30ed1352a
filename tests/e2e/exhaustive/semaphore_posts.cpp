// SPDX-License-Identifier: Apache-2.0
// Two tasks post, one waits once. Posts do not conflict with each other; which of them came before the wait makes
// the class: one, the other, or both: 3.
//
//   sc: 3
//   c11: 3
#include <semaphore.h>

#include "together.h"

sem_t units;

int main() {
  sem_init(&units, 0, 0);
  together([] { sem_wait(&units); }, [] { sem_post(&units); }, [] { sem_post(&units); });
}
