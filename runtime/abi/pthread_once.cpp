// SPDX-License-Identifier: Apache-2.0
// pthread_once and the guards of function-local statics.
#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/once_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

using namespace ravel;

RAVEL_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!under_engine())
    return passing(OperationKind::once_begin, control, RAVEL_CALL_SITE,
                   [&] { return real().pthread_once(control, routine); });
  return once(control, routine, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) {
  if (!under_engine())
    return passing(OperationKind::guard_acquire, guard, RAVEL_CALL_SITE,
                   [&] { return real().__cxa_guard_acquire(guard); });
  return guard_acquire(guard, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void __cxa_guard_release(std::uint64_t* guard) {
  if (!under_engine())
    return passing(OperationKind::guard_release, guard, RAVEL_CALL_SITE,
                   [&] { return real().__cxa_guard_release(guard); });
  guard_release(guard, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void __cxa_guard_abort(std::uint64_t* guard) {
  if (!under_engine()) return real().__cxa_guard_abort(guard);
  guard_abort(guard, RAVEL_CALL_SITE);
}
