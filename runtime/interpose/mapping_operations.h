// SPDX-License-Identifier: Apache-2.0
// Mappings of memory. Whoever maps memory owns it from then on, and whoever unmaps it gives it up: what was known of
// those bytes (accesses, stores of atomics, objects, locks) has nothing to do with what comes next. None of these is a
// scheduling point: no task can notice a mapping before it knows the address.
//
// Who calls it: the exported functions in runtime/abi/mappings.cpp, around the real ones.
//
// Thread safety: any thread may call; only tasks, and the threads of parallel runs, go further than the first test.
#pragma once

#include <cstddef>

namespace ravel {

// [start, start + bytes) was mapped (mmap, shmat), or is about to be unmapped.
void mapping_changes(const volatile void* start, std::size_t bytes);

// mremap did this.
void mapping_moved(const volatile void* from, std::size_t old_bytes, const volatile void* to, std::size_t bytes);

// The contents are gone, the owner stays (madvise): only the stores of atomics are forgotten.
void mapping_emptied(const volatile void* start, std::size_t bytes);

// A segment of shared memory, which is given up by its address alone.
void segment_attached(const volatile void* start, std::size_t bytes);
void segment_goes(const volatile void* start);

}  // namespace ravel
