// SPDX-License-Identifier: Apache-2.0
//
// What TSan's own tests use to make threads meet. Kept so that such programs run under Ravel as well.
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/points.h"

RAVEL_EXPORT void __tsan_testonly_barrier_init(std::uint64_t* barrier, std::uint32_t count) { *barrier = count; }

RAVEL_EXPORT void __tsan_testonly_barrier_wait(std::uint64_t* barrier) {
  ravel::test_barrier_wait(barrier, RAVEL_CALL_SITE);
}

RAVEL_EXPORT std::uintptr_t __tsan_testonly_shadow_stack_current_size() { return ravel::shadow_stack_depth(); }
