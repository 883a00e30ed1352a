// SPDX-License-Identifier: Apache-2.0
//
// Pages straight from the kernel: how the runtime gets memory without the program's allocator and without any function
// the runtime itself interposes.
//
// Thread safety: all functions are safe from any thread.
#pragma once

#include <cstddef>

namespace ravel {

// Reserves address space that reads as zero and costs memory only where it is written; a single page is there at once,
// which saves its first faults. Huge pages are declined: zeroing two megabytes at the first touch would cost more than
// a whole short execution. Returns nullptr when the kernel refuses (an address-space limit).
void* reserve_pages(std::size_t bytes);

// Gives a whole reservation back. A small one stays reserved.
void release_pages(void* start, std::size_t bytes);

}  // namespace ravel
