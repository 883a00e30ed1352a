// SPDX-License-Identifier: Apache-2.0
// A wait by a system call instruction of the program's own: no library function is called, so Ravel cannot see it, and
// the wait stops the one OS thread that carries every task. Ravel makes the task give way after a while.

#include <linux/futex.h>
#include <sys/syscall.h>

#include <atomic>
#include <thread>

std::atomic<int> word = 0;

long hidden_futex(std::atomic<int>* address, int operation, int value) {
  long result = SYS_futex;
  register long timeout asm("r10") = 0;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(address), "S"(static_cast<long>(operation)), "d"(static_cast<long>(value)), "r"(timeout)
               : "rcx", "r11", "memory");
  return result;
}

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
