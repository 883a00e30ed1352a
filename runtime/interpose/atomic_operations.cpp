// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/atomic_operations.h"

#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

// The real compare-exchange: returns what was found.
template <typename T>
T real_compare_exchange(volatile T* object, T expected, T desired) {
  return __sync_val_compare_and_swap(object, expected, desired);
}

// In assembly: the builtins may call libatomic, which the runtime does not link. Every x86-64 machine in use has it.
template <>
Uint128 real_compare_exchange(volatile Uint128* object, Uint128 expected, Uint128 desired) {
  auto low = static_cast<std::uint64_t>(expected);
  auto high = static_cast<std::uint64_t>(expected >> 64);
  asm volatile("lock cmpxchg16b %0"
               : "+m"(*object), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)), "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory", "cc");
  return (static_cast<Uint128>(high) << 64) | low;
}

template <typename T>
T real_load(const volatile T* object) {
  if constexpr (sizeof(T) <= 8) {
    return __atomic_load_n(object, __ATOMIC_SEQ_CST);
  } else {
    // Storing zero over zero is the only way to read 16 bytes at once that all machines promise.
    return real_compare_exchange(const_cast<volatile T*>(object), T{0}, T{0});
  }
}

template <FetchKind kKind, typename T>
constexpr T combine(T before, T operand) {
  switch (kKind) {
    case FetchKind::exchange:
      return operand;
    case FetchKind::add:
      return static_cast<T>(before + operand);
    case FetchKind::sub:
      return static_cast<T>(before - operand);
    case FetchKind::and_:
      return static_cast<T>(before & operand);
    case FetchKind::or_:
      return static_cast<T>(before | operand);
    case FetchKind::xor_:
      return static_cast<T>(before ^ operand);
    case FetchKind::nand:
      return static_cast<T>(~(before & operand));
  }
}

template <FetchKind kKind, typename T>
T real_fetch(volatile T* object, T operand) {
  if constexpr (sizeof(T) <= 8 && kKind == FetchKind::exchange) {
    return __atomic_exchange_n(object, operand, __ATOMIC_SEQ_CST);
  } else if constexpr (sizeof(T) <= 8 && kKind == FetchKind::add) {
    return __atomic_fetch_add(object, operand, __ATOMIC_SEQ_CST);
  } else if constexpr (sizeof(T) <= 8 && kKind == FetchKind::sub) {
    return __atomic_fetch_sub(object, operand, __ATOMIC_SEQ_CST);
  } else {
    T before = real_load(object);
    while (true) {
      const T found = real_compare_exchange(object, before, combine<kKind>(before, operand));
      if (found == before) return before;
      before = found;
    }
  }
}

// The scheduling point. False: not under the engine, or nobody else could notice.
template <typename T>
bool announce(OperationKind kind, const volatile T* object, T value, MemoryOrder order, std::uint64_t pc) {
  if (!under_engine()) return false;
  Scheduler& engine = scheduler();
  if (!engine.concurrent()) return false;
  const auto address = reinterpret_cast<std::uint64_t>(object);
  note_atomic_access(address, sizeof(T), kind != OperationKind::atomic_load, pc);
  Operation operation;
  operation.kind = kind;
  operation.order = order;
  operation.size = sizeof(T);
  operation.object = address;
  operation.pc = pc;
  operation.value = static_cast<std::uint64_t>(value);
  reach_point(operation);
  return true;
}

template <typename T>
void tell_written(const volatile T* object) {
  scheduler().memory_written(reinterpret_cast<std::uint64_t>(object), sizeof(T));
}

}  // namespace

template <typename T>
T atomic_load(const volatile T* object, MemoryOrder order, std::uint64_t pc) {
  announce(OperationKind::atomic_load, object, T{0}, order, pc);
  return real_load(object);
}

template <typename T>
void atomic_store(volatile T* object, T value, MemoryOrder order, std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_store, object, value, order, pc);
  const T before = real_fetch<FetchKind::exchange>(object, value);
  if (announced && before != value) tell_written(object);
}

template <typename T, FetchKind kKind>
T atomic_fetch(volatile T* object, T operand, MemoryOrder order, std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_rmw, object, operand, order, pc);
  const T before = real_fetch<kKind>(object, operand);
  if (announced && before != combine<kKind>(before, operand)) tell_written(object);
  return before;
}

template <typename T>
bool atomic_compare_exchange(volatile T* object, T* expected, T desired, CasStrength strength, MemoryOrder order,
                             std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_cas, object, desired, order, pc);
  const T wanted = *expected;
  if (announced && strength == CasStrength::weak && real_load(object) == wanted &&
      scheduler().choose_environment(EnvironmentKind::weak_failure, 2) == 1) {
    return false;
  }
  const T found = real_compare_exchange(object, wanted, desired);
  if (found != wanted) {
    *expected = found;
    return false;
  }
  if (announced && wanted != desired) tell_written(object);
  return true;
}

void atomic_thread_fence(MemoryOrder order, std::uint64_t pc) {
  if (under_engine() && scheduler().concurrent()) {
    Operation operation;
    operation.kind = OperationKind::fence;
    operation.order = order;
    operation.pc = pc;
    reach_point(operation);
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define RAVEL_INSTANTIATE_FETCH(T, kind) \
  template T atomic_fetch<T, FetchKind::kind>(volatile T*, T, MemoryOrder, std::uint64_t);
#define RAVEL_INSTANTIATE(T)                                                                             \
  template T atomic_load<T>(const volatile T*, MemoryOrder, std::uint64_t);                              \
  template void atomic_store<T>(volatile T*, T, MemoryOrder, std::uint64_t);                             \
  template bool atomic_compare_exchange<T>(volatile T*, T*, T, CasStrength, MemoryOrder, std::uint64_t); \
  RAVEL_INSTANTIATE_FETCH(T, exchange)                                                                   \
  RAVEL_INSTANTIATE_FETCH(T, add)                                                                        \
  RAVEL_INSTANTIATE_FETCH(T, sub)                                                                        \
  RAVEL_INSTANTIATE_FETCH(T, and_)                                                                       \
  RAVEL_INSTANTIATE_FETCH(T, or_)                                                                        \
  RAVEL_INSTANTIATE_FETCH(T, xor_)                                                                       \
  RAVEL_INSTANTIATE_FETCH(T, nand)

RAVEL_INSTANTIATE(std::uint8_t)
RAVEL_INSTANTIATE(std::uint16_t)
RAVEL_INSTANTIATE(std::uint32_t)
RAVEL_INSTANTIATE(std::uint64_t)
RAVEL_INSTANTIATE(Uint128)

}  // namespace ravel
