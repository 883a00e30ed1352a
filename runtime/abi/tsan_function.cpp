// SPDX-License-Identifier: Apache-2.0
//
// Entry to and exit from instrumented functions: the shadow call stack.
#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/points.h"

RAVEL_EXPORT void __tsan_func_entry(void* call_pc) {
  ravel::enter_function(ravel::address_of(call_pc), RAVEL_CALL_SITE);
}

RAVEL_EXPORT void __tsan_func_exit() { ravel::leave_function(); }
