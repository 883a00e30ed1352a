// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin of buggy/deadlock/signal_before_pause.cpp: blocked signals stay pending until somebody suspends
// with another mask, waits for them or reads them. Each task has a mask of its own.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cassert>
#include <thread>

volatile sig_atomic_t told = 0;
pthread_t handled_on;

void tell(int signal_number) { assert(kill(getpid(), signal_number) == 0); }

sigset_t set_of(int signal_number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  return set;
}

int main() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    told = 1;
    handled_on = pthread_self();
  };
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t blocked = set_of(SIGUSR1);
  sigaddset(&blocked, SIGUSR2);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  sigset_t others = blocked;
  sigdelset(&others, SIGUSR1);

  std::thread waiter([] {
    const sigset_t wanted = set_of(SIGTERM);
    int taken = 0;
    assert(sigwait(&wanted, &taken) == 0 && taken == SIGTERM);
  });
  std::thread reader([] {
    const sigset_t wanted = set_of(SIGUSR2);
    const int descriptor = signalfd(-1, &wanted, 0);
    pollfd waited{descriptor, POLLIN, 0};
    assert(poll(&waited, 1, -1) == 1);
    signalfd_siginfo information;
    assert(read(descriptor, &information, sizeof information) == sizeof information);
    assert(information.ssi_signo == static_cast<unsigned>(SIGUSR2));
  });
  std::thread teller([] {
    tell(SIGUSR1);
    tell(SIGUSR2);
    tell(SIGTERM);
    const sigset_t own = set_of(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &own, nullptr);
  });
  while (told == 0) sigsuspend(&others);
  assert(pthread_equal(handled_on, pthread_self()) != 0);
  waiter.join();
  reader.join();
  teller.join();
}
