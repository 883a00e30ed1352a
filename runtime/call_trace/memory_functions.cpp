// SPDX-License-Identifier: Apache-2.0
// Functions of libc that copy and fill memory: g++ does not announce what they read and write.
#include <cstddef>

#include "runtime/call_trace/recorder.h"

using ravel::CallEventKind;
using ravel::record_range;

extern "C" {
void* ravel_plain_memcpy(void* to, const void* from, std::size_t bytes);
void* ravel_plain_memmove(void* to, const void* from, std::size_t bytes);
void* ravel_plain_memset(void* start, int byte, std::size_t bytes);
}

RAVEL_CALLS_EXPORT void* memcpy(void* to, const void* from, std::size_t bytes) {
  record_range(CallEventKind::read, from, bytes, RAVEL_CALLS_PC);
  record_range(CallEventKind::write, to, bytes, RAVEL_CALLS_PC);
  return ravel_plain_memcpy(to, from, bytes);
}
RAVEL_CALLS_EXPORT void* memmove(void* to, const void* from, std::size_t bytes) {
  record_range(CallEventKind::read, from, bytes, RAVEL_CALLS_PC);
  record_range(CallEventKind::write, to, bytes, RAVEL_CALLS_PC);
  return ravel_plain_memmove(to, from, bytes);
}
RAVEL_CALLS_EXPORT void* memset(void* to, int value, std::size_t bytes) {
  record_range(CallEventKind::write, to, bytes, RAVEL_CALLS_PC);
  return ravel_plain_memset(to, value, bytes);
}
