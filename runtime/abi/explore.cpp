// SPDX-License-Identifier: Apache-2.0
//
// The runtime's side of include/ravel/explore.h, which finds these by name when the runtime is there.
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/explored_body.h"

RAVEL_EXPORT std::uint32_t ravel_runtime_explore(std::uint64_t test_case, std::uint32_t call) {
  return static_cast<std::uint32_t>(ravel::reach_explore_call(test_case, call));
}

RAVEL_EXPORT void ravel_runtime_explore_end() { ravel::end_explored_body(RAVEL_CALL_SITE); }

RAVEL_EXPORT void ravel_runtime_assertion_failed(const char* message) {
  ravel::explored_assertion_failed(message, RAVEL_CALL_SITE);
}
