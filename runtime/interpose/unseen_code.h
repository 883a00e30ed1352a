// SPDX-License-Identifier: Apache-2.0
//
// Code of the program that may order tasks without anybody seeing it: libraries that are not instrumented, and
// assembly. Every such library counts: on x86 an ordinary store releases, so nothing in its code tells. Finds it,
// notices when tasks go there (passages), and keeps what it could order (HiddenOrder).
//
// What is a passage:
//  - a call from an instrumented module to a function of such a library. The slots through which the linker made such
//    calls indirect lead to stubs that note the passage and jump on;
//  - a callback: an instrumented function is entered from the library, or returns to it;
//  - others could run while the task was in the library: at a scheduling point that the library called, or where the
//    task was nudged;
//  - a handler of such code that runs when a task ends;
//  - a locked instruction in an instrumented module (assembly.h).
// Going to a library also counts as going to those it is linked with: it may call them.
//
// libc, libstdc++ and their like are no such libraries: their functions are interposed. One thing is left:
// std::promise::set_value_at_thread_exit makes its state ready inside libstdc++, and only its end of task is noticed.
// The other side of it is an atomic that an instrumented load finds in a state that no instrumented store left.
//
// Who calls it: start-up, function entry and exit, scheduling points, the end of a task, atomics. Each asks first
// whether there is such code at all.
//
// Thread safety: found on the only thread, or on the running task while a library is loaded; noted on the running task.
#pragma once

#include <cstdint>

#include "runtime/memory/hidden_order.h"
#include "trace/finding_record.h"

namespace ravel {

extern constinit bool g_has_unseen_code;
inline bool has_unseen_code() { return g_has_unseen_code; }

// The one of this process.
extern constinit HiddenOrder g_hidden_order;
inline HiddenOrder& hidden_order() { return g_hidden_order; }

// Looks through the modules that are loaded. Before control begins, and whenever an instrumented module was added.
void find_unseen_code();

// The current task has entered an instrumented function that was called from `pc`, or returns from there to `pc`.
void entered_from(std::uint64_t pc);
void returns_to(std::uint64_t pc);

// Others could run while the current task was in a call from `pc`.
void others_ran_during_call_from(std::uint64_t pc);

// The end of the current task runs this handler.
void runs_at_end(std::uint64_t handler);

// The current task looks at an atomic that no store is known of, or with another value than the last store left. The
// latter is somebody's unseen write.
void looks_at_unknown_store(bool changed);

// The current task is at a locked instruction of the program's own, which stands for this object.
void passes_assembly(std::uint32_t object);

// The current task accesses memory at `pc`, after another task's access in the epoch `earlier`. If that is inside code
// that is not seen, or in a callback from it, the code may have read any atomic of the program before: returns the
// object of HiddenOrder by which the task may know of whatever was released after that access; else kNone.
std::uint32_t may_know_there(std::uint64_t pc, Epoch earlier);

// What may have made the order: an object of HiddenOrder, in the words of a finding.
void describe_unseen(std::uint32_t object, UnseenOrderRecord& record);

}  // namespace ravel
