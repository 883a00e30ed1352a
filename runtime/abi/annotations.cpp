// SPDX-License-Identifier: Apache-2.0
//
// The runtime's side of include/ravel/annotations.h, which finds these by name when the runtime is there.
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/points.h"

RAVEL_EXPORT std::uint32_t ravel_runtime_choose(std::uint32_t options) {
  return ravel::choose(options, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void ravel_runtime_label(const volatile void* object, std::uint64_t size, const char* name) {
  ravel::label_object(object, size, name);
}

RAVEL_EXPORT void ravel_runtime_sync_point(const char* name) { ravel::named_sync_point(name, RAVEL_CALL_SITE); }

RAVEL_EXPORT void ravel_runtime_section(int begins) { ravel::atomic_section(begins != 0, RAVEL_CALL_SITE); }

RAVEL_EXPORT void ravel_runtime_fail(const char* message) { ravel::fail(message, RAVEL_CALL_SITE); }
