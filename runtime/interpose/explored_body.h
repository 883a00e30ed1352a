// SPDX-License-Identifier: Apache-2.0
// A call of ravel::explore in a process that was started for it (LaunchOptions::explored_call): control begins at the
// call, its body is the execution, and the execution ends with the body. include/ravel/explore.h is the program's side.
//
// Called by runtime/abi/explore.cpp and by the operations that such a body must not perform. Before the call the
// program runs alone and unseen. A thread that it starts there is a real one: from then on the main thread is outside
// the engine too, so that the two can work together, and comes back at the call if the thread has ended.
//
// Thread safety: the main thread only, but for what says otherwise.
#pragma once

#include <cstdint>

#include "runtime/interpose/points.h"

namespace ravel {

// What a call of ravel::explore is to do. include/ravel/explore.h has the same numbers.
enum class ExploreCall : std::uint32_t {
  start_tool = 0,  // Ravel does not control this process
  run_body = 1,    // the body is the execution: run it, then call end_explored_body(). Returned in each execution
  passed = 2,      // another process explores or has explored this call, and it passed
  failed = 3,      // and it failed
  run_once = 4,    // the whole program is the execution (ravel run, ravel noise): the body is a part of it
};

ExploreCall reach_explore_call(std::uint64_t test_case, std::uint32_t call);

// Waits for the tasks that still run, then ends the execution at once: nothing of the program runs after the body.
[[noreturn]] void end_explored_body(CallSite pc);

// A test framework says that an assertion of the body failed, on any task: a finding, and the end of the execution. If
// no body is explored, nothing.
void explored_assertion_failed(const char* message, CallSite pc);

// The process waits for its call of ravel::explore.
bool awaits_explore_call();

// Before the call: the program is about to start a real thread.
void leave_engine_until_call();

// What the body must not do; `deed`: "calls exit". Returns if no body is explored.
void refuse_in_explored_body(const char* deed);

// Control is about to begin: an error if that is not at the call.
void check_control_begins_at_call();

// Threads of this process, by the kernel's count. From any thread.
int thread_count();

}  // namespace ravel
