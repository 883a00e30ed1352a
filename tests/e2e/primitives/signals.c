// SPDX-License-Identifier: Apache-2.0
// Signals to threads: the right one handles it, waits are interrupted, sigwait gets what was sent.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "expect.h"

static pthread_t handled_by;
static int handled, handled_value;
static sem_t ready, never;

static void handler(int number, siginfo_t* information, void* context) {
  (void)number;
  (void)context;
  handled_by = pthread_self();
  handled_value = information->si_value.sival_int;
  __atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);
}

static void* interrupted(void* argument) {
  sem_post(&ready);
  EXPECT_ERRNO(sem_wait(&never), EINTR);
  return argument;
}

static void* sleep_interrupted(void* argument) {
  const struct timespec hour = {3600, 0};
  struct timespec left = {0, 0};
  sem_post(&ready);
  // The signal may come before the sleep begins; it is sent until one interrupts it. Under Ravel an hour may pass.
  while (nanosleep(&hour, &left) == 0) {
  }
  EXPECT_EQ(errno, EINTR);
  EXPECT(left.tv_sec <= 3600);
  *(int*)argument = 1;
  return NULL;
}

static void* wait_for_it(void* argument) {
  const sigset_t* set = (const sigset_t*)argument;
  int number = 0;
  siginfo_t information;
  EXPECT_EQ(sigwait(set, &number), 0);
  EXPECT_EQ(number, SIGUSR2);
  sem_post(&ready);
  EXPECT_EQ(sigwaitinfo(set, &information), SIGUSR2);
  EXPECT_EQ(information.si_signo, SIGUSR2);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  pthread_t thread;
  sem_init(&ready, 0, 0);
  sem_init(&never, 0, 0);
  EXPECT_EQ(sigaction(SIGUSR1, &action, NULL), 0);
  EXPECT_EQ(pthread_kill(pthread_self(), SIGUSR1), 0);
  EXPECT_EQ(handled, 1);
  EXPECT(pthread_equal(handled_by, pthread_self()));

  // The thread may not have begun to wait when the signal comes: the post releases it then.
  EXPECT_EQ(pthread_create(&thread, NULL, interrupted, NULL), 0);
  sem_wait(&ready);
  while (pthread_tryjoin_np(thread, NULL) == EBUSY) {
    EXPECT_EQ(pthread_kill(thread, SIGUSR1), 0);
    sched_yield();
  }
  EXPECT(pthread_equal(handled_by, thread));

  int done = 0;
  EXPECT_EQ(pthread_create(&thread, NULL, sleep_interrupted, &done), 0);
  sem_wait(&ready);
  const union sigval value = {.sival_int = 11};
  while (pthread_tryjoin_np(thread, NULL) == EBUSY) {
    EXPECT_EQ(pthread_sigqueue(thread, SIGUSR1, value), 0);
    sched_yield();
  }
  EXPECT_EQ(done, 1);
  EXPECT_EQ(handled_value, 11);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  EXPECT_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  EXPECT_EQ(pthread_create(&thread, NULL, wait_for_it, &set), 0);
  EXPECT_EQ(pthread_kill(thread, SIGUSR2), 0);
  sem_wait(&ready);
  EXPECT_EQ(kill(getpid(), SIGUSR2), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  const struct timespec little = {0, 1000000};
  EXPECT_ERRNO(sigtimedwait(&set, NULL, &little), EAGAIN);
  return 0;
}
