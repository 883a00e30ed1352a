// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of 8, 16, 32, 64 and 128 bits: the compilers call these in place of the instructions.
#include <algorithm>
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/atomic_operations.h"
#include "runtime/interpose/points.h"

using ravel::CasOrders;
using ravel::CasStrength;
using ravel::FetchKind;
using ravel::MemoryOrder;

namespace {

// gcc may put hints for lock elision into the upper bits.
MemoryOrder order_of(int order) { return static_cast<MemoryOrder>(order & 7); }

// A compare-exchange is announced before it is known whether it will fail, so with what both outcomes may order. A
// failed one only reads: its order is relaxed, consume, acquire or seq_cst.
MemoryOrder announced_order(MemoryOrder success, MemoryOrder failure) {
  if (failure == MemoryOrder::seq_cst || failure == MemoryOrder::relaxed) return std::max(success, failure);
  return success == MemoryOrder::release ? MemoryOrder::acq_rel : std::max(success, failure);
}

CasOrders orders_of(int success, int failure) {
  const MemoryOrder stored = order_of(success);
  const MemoryOrder seen = order_of(failure);
  return CasOrders{stored, seen, announced_order(stored, seen)};
}

}  // namespace

#define RAVEL_ATOMIC_FETCH(bits, T, name, kind)                                                        \
  RAVEL_EXPORT T __tsan_atomic##bits##_##name(volatile T* object, T operand, int order) {              \
    return ravel::atomic_fetch<T, FetchKind::kind>(object, operand, order_of(order), RAVEL_CALL_SITE); \
  }

#define RAVEL_ATOMIC_CAS(bits, T, name)                                                                            \
  RAVEL_EXPORT int __tsan_atomic##bits##_compare_exchange_##name(volatile T* object, T* expected, T desired,       \
                                                                 int order, int failure) {                         \
    return ravel::atomic_compare_exchange(object, expected, desired, CasStrength::name, orders_of(order, failure), \
                                          RAVEL_CALL_SITE);                                                        \
  }

#define RAVEL_ATOMICS(bits, T)                                                                                    \
  RAVEL_EXPORT T __tsan_atomic##bits##_load(const volatile T* object, int order) {                                \
    return ravel::atomic_load(object, order_of(order), RAVEL_CALL_SITE);                                          \
  }                                                                                                               \
  RAVEL_EXPORT void __tsan_atomic##bits##_store(volatile T* object, T value, int order) {                         \
    ravel::atomic_store(object, value, order_of(order), RAVEL_CALL_SITE);                                         \
  }                                                                                                               \
  RAVEL_ATOMIC_FETCH(bits, T, exchange, exchange)                                                                 \
  RAVEL_ATOMIC_FETCH(bits, T, fetch_add, add)                                                                     \
  RAVEL_ATOMIC_FETCH(bits, T, fetch_sub, sub)                                                                     \
  RAVEL_ATOMIC_FETCH(bits, T, fetch_and, and_)                                                                    \
  RAVEL_ATOMIC_FETCH(bits, T, fetch_or, or_)                                                                      \
  RAVEL_ATOMIC_FETCH(bits, T, fetch_xor, xor_)                                                                    \
  RAVEL_ATOMIC_FETCH(bits, T, fetch_nand, nand)                                                                   \
  RAVEL_ATOMIC_CAS(bits, T, strong)                                                                               \
  RAVEL_ATOMIC_CAS(bits, T, weak)                                                                                 \
  RAVEL_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* object, T expected, T desired, int order, \
                                                            int failure) {                                        \
    ravel::atomic_compare_exchange(object, &expected, desired, CasStrength::strong, orders_of(order, failure),    \
                                   RAVEL_CALL_SITE);                                                              \
    return expected;                                                                                              \
  }

RAVEL_ATOMICS(8, std::uint8_t)
RAVEL_ATOMICS(16, std::uint16_t)
RAVEL_ATOMICS(32, std::uint32_t)
RAVEL_ATOMICS(64, std::uint64_t)
RAVEL_ATOMICS(128, ravel::Uint128)

RAVEL_EXPORT void __tsan_atomic_thread_fence(int order) {
  ravel::atomic_thread_fence(order_of(order), RAVEL_CALL_SITE);
}

// Orders a task with its own signal handlers only: for the compiler, not for other tasks.
RAVEL_EXPORT void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
