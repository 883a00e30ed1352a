// SPDX-License-Identifier: Apache-2.0
// Three tasks join each other in a cycle, once all are known. Nothing to order: 1, a deadlock.
//
//   sc: 1
//   c11: 1
//   finding: deadlock
#include <semaphore.h>

#include "together.h"

pthread_t task[3];
sem_t known[3];

template <int kMe>
void* join_next(void*) {
  sem_wait(&known[kMe]);
  pthread_join(task[(kMe + 1) % 3], nullptr);
  return nullptr;
}

int main() {
  for (sem_t& semaphore : known) sem_init(&semaphore, 0, 0);
  pthread_create(&task[0], nullptr, join_next<0>, nullptr);
  pthread_create(&task[1], nullptr, join_next<1>, nullptr);
  pthread_create(&task[2], nullptr, join_next<2>, nullptr);
  for (sem_t& semaphore : known) sem_post(&semaphore);
  pthread_exit(nullptr);
}
