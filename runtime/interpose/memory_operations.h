// SPDX-License-Identifier: Apache-2.0
//
// Plain memory accesses: which of them are scheduling points, and the point itself.
//
// Who calls it: the forwarders in runtime/abi/tsan_*.cpp, for each instrumented access, before it is made. Start-up and
// the fork server call the functions of the second part.
//
// `--points` decides: sync, no plain access is a point; shared, those at code locations known to touch memory that
// tasks share without ordering their accesses (ContendedMemory learns them); all, every one while at least two tasks
// are live. A task that makes very many accesses without reaching a point yields once, so that a loop waiting for
// another task cannot keep it from running.
//
// Thread safety: any thread may call memory_access; only tasks under the engine go further than the first test.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "model/operation.h"
#include "trace/channel.h"

namespace ravel {

// The current task is about to access [address, address + size). Kind: read, write or read_write.
// A point for a write is also where loops that spin on the memory are woken: they cannot run before this task's next
// point, and by then the store has been made.
void memory_access(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc);

// Tells the map of contended memory about an access that is a point anyway (an atomic). Under the engine only.
void note_atomic_access(std::uint64_t address, std::uint64_t size, std::uint64_t pc);

// An atomic access takes effect: after its scheduling point, after the task has acquired what the access gives it and
// before it releases anything by it. Kind: atomic_load for one that only read (a failed compare-exchange, too), else
// what it was. Under the engine only.
void atomic_access_made(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc);

// Is this code location one of those whose accesses are points?
bool is_shared_location(std::uint64_t pc);

// Was the last write of this memory that was seen a plain one?
bool last_write_was_plain(std::uint64_t address, std::uint64_t size);

// Between begin and end the accesses of the current task are neither points nor tracked. Calls nest. This is what the
// program asked for with __tsan_ignore_thread_begin or AnnotateIgnoreReads/WritesBegin, or by announcing an operation
// of its own lock (tsan_sync.cpp). Atomics are not affected.
enum class IgnoredAccess : std::uint8_t { reads, writes };
void ignore_begin(IgnoredAccess which);
void ignore_end(IgnoredAccess which);

// -- for start-up, fork server and task life --------------------------------------------------------------------------

// Reserves the map of contended memory. Once, before the fork; later it would be done by each execution for itself.
void prepare_memory_operations(Channel& channel);

// Takes over channel.request.site[0..sites_known) and lets what the next execution learns follow them. By the fork
// server (or start-up, where there is none) before each execution. The driver only appends to the known sites, or goes
// back to fewer of them.
void learn_known_sites(Channel& channel);

// The program released this memory (munmap, the stack of a task that ended), or it was allocated again (malloc): the
// memory has a new owner, and what happened there before does not matter any more.
void memory_released(std::uint64_t address, std::uint64_t size);

// The heap took this block back; called before the block can be allocated again. Counts as a write of the current
// task (a free that races with an access is a race), and every access from now on is a use after free, until
// memory_released is called for the same memory.
void memory_freed(std::uint64_t address, std::uint64_t size, std::uint64_t pc);

// Is the memory at `address` freed, in the eyes of memory_freed?
bool memory_is_freed(std::uint64_t address);

// Does the driver want to know what happens to this memory in full (WatchRequest)?
bool memory_is_watched(std::uint64_t address, std::uint64_t size);

}  // namespace ravel
