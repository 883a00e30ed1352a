// SPDX-License-Identifier: Apache-2.0
//
// tsan_interface.h: fibers of the program itself.
#include "runtime/abi/export.h"
#include "runtime/interpose/user_fibers.h"

using ravel::UserFiber;

RAVEL_EXPORT void* __tsan_get_current_fiber() { return ravel::current_user_fiber(); }

RAVEL_EXPORT void* __tsan_create_fiber(unsigned) { return ravel::create_user_fiber(); }

RAVEL_EXPORT void __tsan_destroy_fiber(void* fiber) { ravel::destroy_user_fiber(static_cast<UserFiber*>(fiber)); }

RAVEL_EXPORT void __tsan_switch_to_fiber(void* fiber, unsigned) {
  ravel::switch_to_user_fiber(static_cast<UserFiber*>(fiber));
}

// Reports name tasks; a fiber is a part of one.
RAVEL_EXPORT void __tsan_set_fiber_name(void*, const char*) {}
