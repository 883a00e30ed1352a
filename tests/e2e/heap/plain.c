/* SPDX-License-Identifier: Apache-2.0 */
/* A program of C, without any C++ run-time library: allocates in one task and frees in another. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* work(void* block) {
  memset(block, 1, 10);
  free(block);
  return malloc(20);
}

int main(void) {
  pthread_t tasks[2];
  for (int i = 0; i < 2; ++i) pthread_create(&tasks[i], NULL, work, malloc(10));
  for (int i = 0; i < 2; ++i) {
    void* result = NULL;
    pthread_join(tasks[i], &result);
    free(result);
  }
  return 0;
}
