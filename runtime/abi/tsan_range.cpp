// SPDX-License-Identifier: Apache-2.0
//
// Accesses to whole ranges, and the memory functions that clang calls in their place.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/abi/export.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"

using ravel::OperationKind;

RAVEL_EXPORT void __tsan_read_range(const void* start, std::size_t bytes) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::read, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void __tsan_write_range(void* start, std::size_t bytes) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::write, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void __tsan_read_range_pc(const void* start, std::size_t bytes, void* pc) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::read, ravel::address_of(pc));
}

RAVEL_EXPORT void __tsan_write_range_pc(void* start, std::size_t bytes, void* pc) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::write, ravel::address_of(pc));
}

// Both the reading and the writing are points of their own: another task may come between.
RAVEL_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  ravel::memory_access(ravel::address_of(from), bytes, OperationKind::read, RAVEL_CALL_SITE);
  ravel::memory_access(ravel::address_of(to), bytes, OperationKind::write, RAVEL_CALL_SITE);
  return std::memcpy(to, from, bytes);
}

RAVEL_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  ravel::memory_access(ravel::address_of(from), bytes, OperationKind::read, RAVEL_CALL_SITE);
  ravel::memory_access(ravel::address_of(to), bytes, OperationKind::write, RAVEL_CALL_SITE);
  return std::memmove(to, from, bytes);
}

RAVEL_EXPORT void* __tsan_memset(void* start, int byte, std::size_t bytes) {
  ravel::memory_access(ravel::address_of(start), bytes, OperationKind::write, RAVEL_CALL_SITE);
  return std::memset(start, byte, bytes);
}
