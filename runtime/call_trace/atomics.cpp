// SPDX-License-Identifier: Apache-2.0
// Atomic operations: the compilers call these in place of the instructions. One thread runs, so each is simply done.
#include <cstdint>

#include "runtime/call_trace/recorder.h"

using ravel::CallEventKind;
using ravel::record;

__extension__ typedef unsigned __int128 Uint128;

#define RAVEL_CALLS_FETCH(bits, T, name, result)                                          \
  RAVEL_CALLS_EXPORT T __tsan_atomic##bits##_##name(volatile T* object, T operand, int) { \
    record(CallEventKind::read, object, RAVEL_CALLS_PC, sizeof(T));                       \
    record(CallEventKind::write, object, RAVEL_CALLS_PC, sizeof(T));                      \
    const T before = *object;                                                             \
    *object = static_cast<T>(result);                                                     \
    return before;                                                                        \
  }
#define RAVEL_CALLS_CAS(bits, T, name)                                                                             \
  RAVEL_CALLS_EXPORT int __tsan_atomic##bits##_compare_exchange_##name(volatile T* object, T* expected, T desired, \
                                                                       int, int) {                                 \
    record(CallEventKind::read, object, RAVEL_CALLS_PC, sizeof(T));                                                \
    const T before = *object;                                                                                      \
    if (before != *expected) {                                                                                     \
      *expected = before;                                                                                          \
      return 0;                                                                                                    \
    }                                                                                                              \
    record(CallEventKind::write, object, RAVEL_CALLS_PC, sizeof(T));                                               \
    *object = desired;                                                                                             \
    return 1;                                                                                                      \
  }
#define RAVEL_CALLS_ATOMICS(bits, T)                                                                              \
  RAVEL_CALLS_EXPORT T __tsan_atomic##bits##_load(const volatile T* object, int) {                                \
    record(CallEventKind::read, object, RAVEL_CALLS_PC, sizeof(T));                                               \
    return *object;                                                                                               \
  }                                                                                                               \
  RAVEL_CALLS_EXPORT void __tsan_atomic##bits##_store(volatile T* object, T value, int) {                         \
    record(CallEventKind::write, object, RAVEL_CALLS_PC, sizeof(T));                                              \
    *object = value;                                                                                              \
  }                                                                                                               \
  RAVEL_CALLS_FETCH(bits, T, exchange, operand)                                                                   \
  RAVEL_CALLS_FETCH(bits, T, fetch_add, before + operand)                                                         \
  RAVEL_CALLS_FETCH(bits, T, fetch_sub, before - operand)                                                         \
  RAVEL_CALLS_FETCH(bits, T, fetch_and, before& operand)                                                          \
  RAVEL_CALLS_FETCH(bits, T, fetch_or, before | operand)                                                          \
  RAVEL_CALLS_FETCH(bits, T, fetch_xor, before ^ operand)                                                         \
  RAVEL_CALLS_FETCH(bits, T, fetch_nand, ~(before & operand))                                                     \
  RAVEL_CALLS_CAS(bits, T, strong)                                                                                \
  RAVEL_CALLS_CAS(bits, T, weak)                                                                                  \
  RAVEL_CALLS_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* object, T expected, T desired, int, \
                                                                  int) {                                          \
    record(CallEventKind::read, object, RAVEL_CALLS_PC, sizeof(T));                                               \
    const T before = *object;                                                                                     \
    if (before != expected) return before;                                                                        \
    record(CallEventKind::write, object, RAVEL_CALLS_PC, sizeof(T));                                              \
    *object = desired;                                                                                            \
    return before;                                                                                                \
  }

RAVEL_CALLS_ATOMICS(8, std::uint8_t)
RAVEL_CALLS_ATOMICS(16, std::uint16_t)
RAVEL_CALLS_ATOMICS(32, std::uint32_t)
RAVEL_CALLS_ATOMICS(64, std::uint64_t)
RAVEL_CALLS_ATOMICS(128, Uint128)

RAVEL_CALLS_EXPORT void __tsan_atomic_thread_fence(int) {}
RAVEL_CALLS_EXPORT void __tsan_atomic_signal_fence(int) {}
