// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Plain C: two tasks alternate by two semaphores; try and timed waits report what they should.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t ping;
static sem_t pong;
static int rally = 0;

static void* player(void* unused) {
  (void)unused;
  for (int i = 0; i < 4; ++i) {
    sem_wait(&ping);
    assert(rally % 2 == 0);
    ++rally;
    sem_post(&pong);
  }
  return NULL;
}

int main(void) {
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  assert(sem_trywait(&pong) == -1 && errno == EAGAIN);
  pthread_t thread;
  pthread_create(&thread, NULL, player, NULL);
  for (int i = 0; i < 4; ++i) {
    sem_post(&ping);
    struct timespec deadline;
    int result;
    do {
      clock_gettime(CLOCK_REALTIME, &deadline);
      deadline.tv_sec += 1;
      result = sem_timedwait(&pong, &deadline);
    } while (result == -1 && (errno == ETIMEDOUT || errno == EINTR));
    assert(result == 0 && rally % 2 == 1);
    ++rally;
  }
  pthread_join(thread, NULL);
  assert(rally == 8);
  sem_destroy(&ping);
  sem_destroy(&pong);
  return 0;
}
