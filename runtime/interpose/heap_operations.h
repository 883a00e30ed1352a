// SPDX-License-Identifier: Apache-2.0
// The heap: who allocated and freed which block, and what the program does against the rules of the heap.
//
// Who calls it: the allocation functions in runtime/abi/heap.cpp and heap_new.cpp; memory_operations for accesses to
// freed and to unwritten memory; whoever states a finding about memory that may be a block.
//
// Every block handed out while the runtime is active is known, from any thread. Once tasks are under control, a freed
// block is held back (Quarantine): for as long an access to it is a use after free, and a second free is one for sure.
// A pointer nobody knows (allocated before the runtime was active) goes to libc's allocator untouched: a free is called
// wrong only where that is certain. Hardly anything is done for the sake of stacks: an execution that watches memory
// (WatchRequest) keeps those of its blocks. Blocks from before the first execution cannot be watched; of them the calls
// of instrumented functions are kept.
//
// Thread safety: any thread may allocate and free. Only the running task looks for misuse and holds blocks back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/operation.h"
#include "runtime/interpose/points.h"
#include "runtime/memory/heap_blocks.h"
#include "trace/channel.h"

namespace ravel {

// -- for runtime/abi: called only while runtime_active()
// ---------------------------------------------------------------------------

enum class HeapContents : std::uint8_t { none, zeroes };

// `block` (may be null) was just handed out by libc's allocator; returns it.
void* heap_allocated(void* block, std::size_t size, HeapKind kind, CallSite pc,
                     HeapContents contents = HeapContents::none);

// A block that operator new got from libc's allocator through other functions of the program.
void heap_block_is_from(void* block, HeapKind kind);

inline constexpr std::size_t kAnySize = ~std::size_t{0};

// The program frees `block` (not null) by the function that belongs to `kind`, as one of `size` bytes.
void heap_free(void* block, HeapKind kind, std::size_t size, CallSite pc);

// realloc.
void* heap_reallocate(void* block, std::size_t size, CallSite pc);

// The program has an operator new or delete of its own: by which functions a block may be freed is its affair.
void heap_operators_are_replaced();

// -- for memory_operations and findings
// ---------------------------------------------------------------------------

// An access to memory whose block was freed (told to the shadow by memory_freed): the finding, once for each place.
// Called by memory_operations, at the turn of the access. The execution goes on.
void report_use_after_free(const Operation& operation);

// Every access of a task, plain or atomic, at its turn and before it is made; only when launch.uninitialised is set.
// Reading heap memory that nobody has written is a finding, once for each place.
void heap_access(std::uint64_t address, std::uint64_t size, bool is_write, const Operation& operation);

// At TraceLevel::values: a task is about to touch `address`. A block from before the first execution is told to the
// driver when that happens for the first time; those that tasks allocate are told at once.
void heap_block_touched(std::uint64_t address);

// The block of the heap that holds `address`, live or in quarantine: fills all of `record` that is known.
// False when there is none.
bool describe_heap_block(std::uint64_t address, HeapBlockRecord& record);

}  // namespace ravel
