// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of 8 to 128 bits. Each is a scheduling point while at least two tasks are live, whatever memory it
// touches: atomics are synchronisation. Then the real operation is made, sequentially consistent; the order the program
// asked for is part of the announced operation.
//
// Who calls it: the forwarders in runtime/abi/tsan_atomic.cpp. Without the engine (passive library, foreign thread) the
// real operation is all there is.
//
// A weak compare-exchange may fail although the values agree: that is an environment decision.
//
// Thread safety: as the operations themselves.
#pragma once

#include <cstdint>

#include "model/operation.h"

namespace ravel {

__extension__ using Uint128 = unsigned __int128;

enum class FetchKind : std::uint8_t { exchange, add, sub, and_, or_, xor_, nand };

enum class CasStrength : std::uint8_t { strong, weak };

// T: std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Uint128.
template <typename T>
T atomic_load(const volatile T* object, MemoryOrder order, std::uint64_t pc);

template <typename T>
void atomic_store(volatile T* object, T value, MemoryOrder order, std::uint64_t pc);

// Replaces the value by (value kind operand) and returns the one before.
template <typename T, FetchKind kKind>
T atomic_fetch(volatile T* object, T operand, MemoryOrder order, std::uint64_t pc);

// Returns whether `desired` was stored; otherwise *expected becomes what was found.
template <typename T>
bool atomic_compare_exchange(volatile T* object, T* expected, T desired, CasStrength strength, MemoryOrder order,
                             std::uint64_t pc);

// Fences between tasks. A signal fence orders a task with itself only: it is no operation.
void atomic_thread_fence(MemoryOrder order, std::uint64_t pc);

}  // namespace ravel
