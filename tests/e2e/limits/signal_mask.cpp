// SPDX-License-Identifier: Apache-2.0
// A task blocks a signal for itself. Fibers share one OS thread and with it one signal mask, so the signal is blocked
// for main, too. On the thread carrier every task has its own mask.
#include <signal.h>

#include <cassert>
#include <thread>

int main() {
  std::thread([] {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
  }).join();
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  assert(sigismember(&mask, SIGUSR1) == 0);
}
