// SPDX-License-Identifier: Apache-2.0
// futex(2) by an instruction of the program's own: no library function is called, so Ravel does not see it.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>

#include <atomic>

inline long hidden_futex(std::atomic<int>* address, int operation, int value) {
  long result = SYS_futex;
  register long timeout asm("r10") = 0;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(address), "S"(static_cast<long>(operation)), "d"(static_cast<long>(value)), "r"(timeout)
               : "rcx", "r11", "memory");
  return result;
}
