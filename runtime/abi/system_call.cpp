// SPDX-License-Identifier: Apache-2.0
// syscall(2): the way of libstdc++ (std::atomic::wait, std::future) and of many programs to the futex and other calls.
#include <sys/syscall.h>

#include <cstdarg>

#include "runtime/abi/export.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/system_calls.h"

using namespace ravel;

RAVEL_EXPORT long syscall(long number, ...) {
  // All six argument registers, whatever the call really has.
  SystemCall call{number, {}};
  va_list arguments;
  va_start(arguments, number);
  for (long& argument : call.arguments) argument = va_arg(arguments, long);
  va_end(arguments);
  const long(&a)[6] = call.arguments;
  if (free_running()) return free_system_call(number, a, RAVEL_CALL_SITE);
  if (!under_engine()) return real().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number != SYS_futex) system_call_may_change_files(number, a);
  return system_call(call, RAVEL_CALL_SITE);
}
