// SPDX-License-Identifier: Apache-2.0
// Always-on checks for Ravel's own mistakes (never for the user's program or environment: those are Finding and
// Status).
//
// Called from driver and target alike. The target may not throw or allocate, so the failure goes to a handler that
// start-up code installs; without one the message goes to stderr and the process exits with kInternalErrorExit.
#pragma once

namespace ravel {

inline constexpr int kInternalErrorExit = 3;

using CheckHandler = void (*)(const char* file, int line, const char* condition, const char* message);

// Installs what runs before the process ends. The handler must not return to the failed code; if it does, we _exit.
void set_check_handler(CheckHandler handler);

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* message);

}  // namespace ravel

#define RAVEL_CHECK(condition, message)                               \
  do {                                                                \
    if (!(condition)) [[unlikely]] {                                  \
      ::ravel::check_failed(__FILE__, __LINE__, #condition, message); \
    }                                                                 \
  } while (false)
