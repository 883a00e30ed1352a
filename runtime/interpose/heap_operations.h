// SPDX-License-Identifier: Apache-2.0
// The heap: which task allocated and freed which block, and misuse of the heap by the program.
//
// Who calls it: the allocation functions in runtime/abi/heap.cpp and heap_new.cpp; memory_operations for accesses to
// freed and to unwritten memory; code that reports a finding about memory that may be a block.
//
// Every block allocated while the runtime is active is known, from any thread. Once tasks are under control, a freed
// block is held back (Quarantine): as long as it is, an access to it is a use after free, and a second free is certain.
// An unknown pointer (allocated before the runtime was active) goes to libc's allocator untouched: a free is called
// wrong only where that is certain. Stacks are kept only where they are cheap: an execution that watches memory
// (WatchRequest) keeps those of its blocks. Blocks from before the first execution cannot be watched; for them only the
// calls of instrumented functions are kept.
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

// -- for runtime/abi: called only while runtime_active() --------------------------------------------------------------

enum class HeapContents : std::uint8_t { none, zeroes };

// `block` (may be null) was just allocated by libc's allocator; returns it.
void* heap_allocated(void* block, std::size_t size, HeapKind kind, CallSite pc,
                     HeapContents contents = HeapContents::none);

// A block that operator new got from libc's allocator through other functions of the program.
void heap_block_is_from(void* block, HeapKind kind);

inline constexpr std::size_t kAnySize = ~std::size_t{0};

// The program frees `block` (not null) by the function that belongs to `kind`, as one of `size` bytes.
void heap_free(void* block, HeapKind kind, std::size_t size, CallSite pc);

// realloc.
void* heap_reallocate(void* block, std::size_t size, CallSite pc);

// The program has its own operator new or delete: which functions may free a block is up to the program.
void heap_operators_are_replaced();

// -- for memory_operations and findings -------------------------------------------------------------------------------

// An access to memory whose block was freed (memory_freed marked the shadow): reports it, once for each place.
// Called by memory_operations when the access takes effect. The execution continues.
void report_use_after_free(const Operation& operation);

// What is known of the memory at `address`. Only where misuse of the heap is looked for; else unknown.
enum class HeapMemory : std::uint8_t { unknown, live, freed };
HeapMemory heap_memory_at(std::uint64_t address);

// A synchronisation object of `size` bytes in freed memory. `use`: what the task does to it, "locks a mutex in".
void report_use_of_freed_object(const char* use, const Operation& operation, std::uint64_t size);

// Every access of a task, plain or atomic, just before it is made; only when launch.uninitialised is set. Reading heap
// memory that was never written is a finding, once for each place.
void heap_access(std::uint64_t address, std::uint64_t size, bool is_write, const Operation& operation);

// At TraceLevel::values: a task is about to touch `address`. A block from before the first execution is passed to the
// driver when that first happens; blocks that tasks allocate are passed at once.
void heap_block_touched(std::uint64_t address);

// The heap block that contains `address`, live or in quarantine: fills in what is known of `record`.
// False when there is none.
bool describe_heap_block(std::uint64_t address, HeapBlockRecord& record);

}  // namespace ravel
