// SPDX-License-Identifier: Apache-2.0
// What both carriers need from the system: real threads, where their memory is, futexes. Never goes through an
// interposed symbol.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/fibers/carrier.h"

namespace ravel {

// A fresh context from memory that is never freed. Zero-initialised except for the defaults.
CarrierContext* new_context();

// Starts a real thread that stays joinable, with all signals blocked. Honours stack size, guard and user stack of
// `attributes` (may be null). Returns an errno value.
int start_real_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*), void* argument);

// Do the attributes (may be null) name memory of the program as the stack?
bool names_stack(const pthread_attr_t* attributes);

// Of a thread that is created without attributes.
std::uint64_t default_stack_size();

// True when a thread with the default stack satisfies `attributes` (may be null).
bool fits_default_stack(const pthread_attr_t* attributes);

// Fills in where the stack and the thread-local variables of the calling thread are.
void read_memory_bounds(CarrierContext& context);

// The calling thread's mask, bit n-1 is signal n; sets it and returns what it was.
std::uint64_t signal_mask();
std::uint64_t set_signal_mask(std::uint64_t mask);

// All that a mask may block: 32 and 33 are libc's own.
inline constexpr std::uint64_t kEverySignal = ~(std::uint64_t{3} << 31);

long syscall_futex(std::uint32_t* word, int operation, std::uint32_t value);

}  // namespace ravel
