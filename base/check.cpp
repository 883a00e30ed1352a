// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <unistd.h>

#include <cstddef>

#include "base/raw_syscall.h"

namespace ravel {
namespace {

constinit CheckHandler g_handler = nullptr;

// Straight to the kernel: this also runs inside a target, where stdio is in an unknown state and write is intercepted.
void say(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  raw_syscall(SYS_write, STDERR_FILENO, reinterpret_cast<long>(text), static_cast<long>(length));
}

}  // namespace

void set_check_handler(CheckHandler handler) { g_handler = handler; }

void check_failed(const char* file, int line, const char* condition, const char* message) {
  if (g_handler != nullptr) g_handler(file, line, condition, message);
  char digits[16];
  int at = 15;
  digits[at] = '\0';
  for (int rest = line; rest > 0 && at > 0; rest /= 10) digits[--at] = static_cast<char>('0' + rest % 10);
  say("ravel: internal error at ");
  say(file);
  say(":");
  say(&digits[at]);
  say(": ");
  say(message);
  say(" (");
  say(condition);
  say("). This is a bug in Ravel; please report it with the command you ran.\n");
  raw_exit(kInternalErrorExit);
}

}  // namespace ravel
