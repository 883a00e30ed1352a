// SPDX-License-Identifier: Apache-2.0
// A signal from another process, which only main lets through. Fibers share one OS thread and with it the kernel's
// mask, here main's, who set it last: still the signal must not be handled on the worker.
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <thread>

pthread_t handled_on;

int main() {
  signal(SIGUSR1, [](int) { handled_on = pthread_self(); });
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread worker([] {
    const pid_t child = fork();
    if (child == 0) {
      kill(getppid(), SIGUSR1);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  });
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  worker.join();
  assert(handled_on != 0 && pthread_equal(handled_on, pthread_self()));
}
