// SPDX-License-Identifier: Apache-2.0
// A task waits for a signal that somebody outside could send, and nobody does.
#include <signal.h>

#include <thread>

int main() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([=] {
    int number = 0;
    sigwait(&set, &number);
  }).join();
}
