// SPDX-License-Identifier: Apache-2.0
// RAVEL_CHECK: always-on checks for Ravel's own bugs (never for the user's program or environment: those are findings
// and Status).
//
// Called from both driver and target. The target must not throw or allocate, so the failure goes to a handler that
// start-up installs; without one, the message goes to stderr and the process exits with kInternalErrorExit.
#pragma once

namespace ravel {

inline constexpr int kInternalErrorExit = 3;

using CheckHandler = void (*)(const char* file, int line, const char* condition, const char* message);

// Installs a handler that runs before the process ends. If it returns, the process exits.
void set_check_handler(CheckHandler handler);

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* message);

}  // namespace ravel

#define RAVEL_CHECK(condition, message)                               \
  do {                                                                \
    if (!(condition)) [[unlikely]] {                                  \
      ::ravel::check_failed(__FILE__, __LINE__, #condition, message); \
    }                                                                 \
  } while (false)
