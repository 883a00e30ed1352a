// SPDX-License-Identifier: Apache-2.0
// raw_syscall(): system calls without libc, for code inside the target, where syscall(), write() and _exit() are
// interposed.
#pragma once

#include <sys/syscall.h>

namespace ravel {

// Returns the kernel's result: a negative errno on failure. Does not touch errno.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result = 0;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

[[noreturn]] inline void raw_exit(int code) {
  for (;;) raw_syscall(SYS_exit_group, code);
}

}  // namespace ravel
