// SPDX-License-Identifier: Apache-2.0
//
// Whether the engine controls the calling OS thread. Every intercepted call asks this first.
//
// Two questions, both answered by a load and a compare:
//  - runtime_active(): was this process started by Ravel? If not, the library is a plain pass-through.
//  - on_task_thread(): is the caller a task? OS threads that are not (donors while parked, helpers of the runtime,
//    threads of foreign libraries) must bypass the engine: it serves one running task at a time.
//
// The mark of a task is thread-local and thus part of the identity (FS base) a task borrows: it follows the task from
// switch to switch with no work. The carrier has it set on every identity, the main thread's included.
//
// Thread safety: the mode is written once, before any other thread exists.
#pragma once

#include <cstdint>

#include "runtime/scheduler/task_thread.h"

namespace ravel {

// free: the program runs on its own threads, really in parallel, and is disturbed and observed (free_running.h).
enum class RuntimeMode : std::uint8_t { passive, active, free };

extern constinit RuntimeMode g_mode;

inline bool free_running() { return g_mode == RuntimeMode::free; }
inline bool runtime_active() { return g_mode == RuntimeMode::active; }

// The test of every intercepted call: engine or pass-through?
inline bool under_engine() { return runtime_active() && on_task_thread(); }

}  // namespace ravel
