// SPDX-License-Identifier: Apache-2.0
// A wait by a system call instruction of the program's own: no library function is called, so Ravel cannot see it, and
// the wait stops the one OS thread that carries every task. Ravel makes the task give way after a while.

#include <atomic>
#include <thread>

#include "hidden_futex.h"

std::atomic<int> word = 0;

int main() {
  std::thread waiting([] {
    while (word == 0) hidden_futex(&word, FUTEX_WAIT, 0);
  });
  std::thread waking([] {
    word = 1;
    hidden_futex(&word, FUTEX_WAKE, 1);
  });
  waiting.join();
  waking.join();
}
