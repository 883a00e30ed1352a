// SPDX-License-Identifier: Apache-2.0
// What the compilers call before plain accesses, and at the beginning and end of functions (-fsanitize=thread).
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/call_trace/recorder.h"

using ravel::CallEventKind;
using ravel::record;
using ravel::record_range;

#define RAVEL_CALLS_ACCESS(name, bytes, kind)                    \
  RAVEL_CALLS_EXPORT void __tsan_##name(const void* address) {   \
    record(CallEventKind::kind, address, RAVEL_CALLS_PC, bytes); \
  }
#define RAVEL_CALLS_BOTH(name, bytes)                             \
  RAVEL_CALLS_EXPORT void __tsan_##name(const void* address) {    \
    record(CallEventKind::read, address, RAVEL_CALLS_PC, bytes);  \
    record(CallEventKind::write, address, RAVEL_CALLS_PC, bytes); \
  }
#define RAVEL_CALLS_ACCESSES(bytes)                        \
  RAVEL_CALLS_ACCESS(read##bytes, bytes, read)             \
  RAVEL_CALLS_ACCESS(write##bytes, bytes, write)           \
  RAVEL_CALLS_BOTH(read_write##bytes, bytes)               \
  RAVEL_CALLS_ACCESS(volatile_read##bytes, bytes, read)    \
  RAVEL_CALLS_ACCESS(volatile_write##bytes, bytes, write)  \
  RAVEL_CALLS_ACCESS(unaligned_read##bytes, bytes, read)   \
  RAVEL_CALLS_ACCESS(unaligned_write##bytes, bytes, write) \
  RAVEL_CALLS_BOTH(unaligned_read_write##bytes, bytes)

RAVEL_CALLS_ACCESSES(1)
RAVEL_CALLS_ACCESSES(2)
RAVEL_CALLS_ACCESSES(4)
RAVEL_CALLS_ACCESSES(8)
RAVEL_CALLS_ACCESSES(16)

RAVEL_CALLS_EXPORT void __tsan_init() {}
RAVEL_CALLS_EXPORT void __tsan_read_range(const void* begin, std::size_t bytes) {
  record_range(CallEventKind::read, begin, bytes, RAVEL_CALLS_PC);
}
RAVEL_CALLS_EXPORT void __tsan_write_range(const void* begin, std::size_t bytes) {
  record_range(CallEventKind::write, begin, bytes, RAVEL_CALLS_PC);
}
RAVEL_CALLS_EXPORT void __tsan_vptr_update(void** place, void* value) {
  if (*place != value) record(CallEventKind::write, place, RAVEL_CALLS_PC, 8);
}
RAVEL_CALLS_EXPORT void __tsan_vptr_read(void** place) { record(CallEventKind::read, place, RAVEL_CALLS_PC, 8); }
RAVEL_CALLS_EXPORT void __tsan_func_entry(void* caller) {
  if (ravel::is_recording()) ravel::record_event(CallEventKind::enter, 0, reinterpret_cast<std::uint64_t>(caller), 0);
}
RAVEL_CALLS_EXPORT void __tsan_func_exit() {
  if (ravel::is_recording()) ravel::record_event(CallEventKind::leave, 0, RAVEL_CALLS_PC, 0);
}

// clang's names for these functions.
RAVEL_CALLS_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  record_range(CallEventKind::read, from, bytes, RAVEL_CALLS_PC);
  record_range(CallEventKind::write, to, bytes, RAVEL_CALLS_PC);
  return std::memcpy(to, from, bytes);
}
RAVEL_CALLS_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  record_range(CallEventKind::read, from, bytes, RAVEL_CALLS_PC);
  record_range(CallEventKind::write, to, bytes, RAVEL_CALLS_PC);
  return std::memmove(to, from, bytes);
}
RAVEL_CALLS_EXPORT void* __tsan_memset(void* to, int value, std::size_t bytes) {
  record_range(CallEventKind::write, to, bytes, RAVEL_CALLS_PC);
  return std::memset(to, value, bytes);
}
