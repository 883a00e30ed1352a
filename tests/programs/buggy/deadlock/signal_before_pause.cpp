// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// The signal may come between the look and the pause, which then waits for ever.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

volatile sig_atomic_t told = 0;

int main() {
  signal(SIGUSR1, [](int) { told = 1; });
  const pthread_t waiter = pthread_self();
  std::thread teller([=] { pthread_kill(waiter, SIGUSR1); });
  if (told == 0) pause();
  teller.join();
}
