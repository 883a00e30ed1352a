// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of 8 to 128 bits. Each is a scheduling point while at least two tasks are live, whatever memory it
// touches: atomics are synchronisation. Then StoreHistories says which stores a load could return, or where a store
// could be placed; which of them is a decision. Memory gets what is newest in modification order.
//
// Who calls it: the forwarders in runtime/abi/tsan_atomic.cpp. Without the engine (passive library, foreign thread), or
// when neither races nor weak memory are looked for, it is just the real operation, sequentially consistent.
//
// A weak compare-exchange may fail although the values agree: that is an environment decision.
//
// Thread safety: as the operations themselves.
#pragma once

#include <cstdint>

#include "model/launch.h"
#include "model/operation.h"

namespace ravel {

__extension__ using Uint128 = unsigned __int128;

enum class FetchKind : std::uint8_t { exchange, add, sub, and_, or_, xor_, nand };

enum class CasStrength : std::uint8_t { strong, weak };

struct CasOrders {
  MemoryOrder success;
  MemoryOrder failure;
  MemoryOrder announced;  // what both outcomes may order: it is not known yet which one comes
};

// T: std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Uint128.
template <typename T>
T atomic_load(const volatile T* object, MemoryOrder order, std::uint64_t pc);

template <typename T>
void atomic_store(volatile T* object, T value, MemoryOrder order, std::uint64_t pc);

// Replaces the value with (value kind operand) and returns the old one.
template <typename T, FetchKind kKind>
T atomic_fetch(volatile T* object, T operand, MemoryOrder order, std::uint64_t pc);

// Returns whether `desired` was stored; otherwise *expected becomes what was found.
template <typename T>
bool atomic_compare_exchange(volatile T* object, T* expected, T desired, CasStrength strength, const CasOrders& orders,
                             std::uint64_t pc);

// Fences between tasks. A signal fence orders a task only with itself: it is not an operation.
void atomic_thread_fence(MemoryOrder order, std::uint64_t pc);

// -- for other operations ---------------------------------------------------------------------------------------------

// Reserves the histories. Once, before the fork, after happens_before() has been prepared.
void prepare_atomics(const LaunchOptions& launch);

// The current task has just written this byte itself (the guard of a static variable); whoever loads it, in any code,
// synchronises with that.
void publish_atomic_byte(const volatile std::uint8_t* object, std::uint64_t pc);
// The current task has looked at the byte and acquires what was published there.
void acquire_atomic_byte(const volatile std::uint8_t* object, std::uint64_t pc);

// The memory was freed or allocated again: the histories of its atomics start over.
void forget_atomics(std::uint64_t address, std::uint64_t size);

}  // namespace ravel
