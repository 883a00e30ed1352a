// SPDX-License-Identifier: Apache-2.0
// What both carriers need from the system: real threads, where their memory is, futexes. Never goes through an
// interposed symbol.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/fibers/carrier.h"

namespace ravel {

// A fresh context from memory that is never given back. Zero-initialised but for the defaults.
CarrierContext* new_context();

// Starts a real, joinable-for-ever thread with all signals blocked. Honours stack size, guard and user stack of
// `attributes` (may be null). Returns an errno value.
int start_real_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*), void* argument);

// True when a thread with the default stack satisfies `attributes` (may be null).
bool fits_default_stack(const pthread_attr_t* attributes);

// Fills in where the stack and the thread-local variables of the calling thread lie.
void read_memory_bounds(CarrierContext& context);

long syscall_futex(std::uint32_t* word, int operation, std::uint32_t value);

}  // namespace ravel
