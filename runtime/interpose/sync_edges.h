// SPDX-License-Identifier: Apache-2.0
//
// The happens-before edges that primitives make. Nothing else makes edges: the order in which Ravel runs tasks is not
// one.
//
// Who calls it: the operations of runtime/interpose, on the task that performs one, right where its effect takes place
// (after the scheduling point). Everything here does nothing while the program is not under control, or when neither
// races nor weak memory are looked for.
//
// An object is identified by its address; one with two pasts (a read-write lock: its readers' and its writers') uses
// the address and the address plus one.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "runtime/memory/happens_before.h"

namespace ravel {

// The instance of this process. Prepared by prepare_memory_operations.
extern constinit HappensBefore g_happens_before;
inline HappensBefore& happens_before() { return g_happens_before; }

// Do edges matter in this execution?
bool tracks_order();

// The current task learns what was released through the object: lock, wait that was woken, join of a barrier.
void acquire_edge(std::uint64_t object);

// The current task's past is added to what the object holds: semaphores, barriers, read unlocks, annotations.
void release_edge(std::uint64_t object);

// The current task's past replaces it: unlock of a lock that the task had acquired.
void release_edge_alone(std::uint64_t object);

// The object starts over (init, destroy).
void forget_edges(std::uint64_t object);

// The current task's past becomes known to `woken`, which is parked and was just released: edges that reach only that
// one task (a futex wake, a barrier that opens).
void wake_edge(TaskId woken);
// `woken`, which is parked, learns what was released through the object.
void acquire_edge_for(TaskId woken, std::uint64_t object);

// Objects without an address: a kind and a number. No address of a program has the top bit set.
enum class EdgeKind : std::uint64_t { signals, process_signals, cancellation, stream, any_stream };
constexpr std::uint64_t edge_key(EdgeKind kind, std::uint64_t number = 0) {
  return (std::uint64_t{1} << 63) | (static_cast<std::uint64_t>(kind) << 56) |
         (number & ((std::uint64_t{1} << 56) - 1));
}

// Task life.
void create_edge(TaskId child, TaskId creator);
void join_edge(TaskId joined);

}  // namespace ravel
