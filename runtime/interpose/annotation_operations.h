// SPDX-License-Identifier: Apache-2.0
//
// What the program says about itself: annotations of the TSan interface, the older Annotate* ones, and Ravel's own
// (include/ravel/annotations.h).
//
// Who calls it: runtime/abi. Without the engine all of it does nothing.
#pragma once

#include <cstdint>

namespace ravel {

// The module that contains `pc` is instrumented: the driver tells the user what Ravel sees of it.
void note_instrumented_module(std::uint64_t pc);

// The program announces that it synchronises through `object` in a way of its own (a home-made lock, acquire/release):
// a scheduling point on that object.
void annotation_point(const volatile void* object, std::uint64_t pc);

// The same, and what the program says about the order that this makes between tasks. An announced lock has two pasts,
// like a read-write lock: of those that held it alone, and of those that shared it.
void annotated_release(const volatile void* object, std::uint64_t pc);
void annotated_acquire(const volatile void* object, std::uint64_t pc);
void annotated_lock_taken(const volatile void* lock, bool shared);
void annotated_lock_given_up(const volatile void* lock, bool shared);
void annotated_lock_gone(const volatile void* lock);

// The program states that the current task holds no lock here; a lock it does hold is a finding.
void expect_no_locks_held(std::uint64_t pc);

// The name of the current task in reports.
void name_current_task(const char* name);

// A number in [0, options) that the strategy picks; 0 without the engine.
std::uint32_t choose(std::uint32_t options, std::uint64_t pc);

// The program reports a failure of its own (finding kind `user`). The execution continues.
void fail(const char* message, std::uint64_t pc);

// Reports call the memory by this name. Known to executions that begin later, too.
void label_object(const volatile void* object, std::uint64_t size, const char* name);
// A new execution begins: tells the driver the names that the program has given so far.
void tell_labels();

// A scheduling point that conflicts with others of the same name.
void named_sync_point(const char* name, std::uint64_t pc);

// Scheduler::begin_section and end_section.
void atomic_section(bool begins, std::uint64_t pc);

// The shadow call stack of the current task (function entry and exit in instrumented code). `from`: where the function
// returns to; `pc`: where it begins. Both may be scheduling points (CallPoints).
void enter_function(std::uint64_t from, std::uint64_t pc);
void leave_function();
std::uint32_t shadow_stack_depth();

// Fills `frames` from the shadow call stack, innermost first, and returns how many.
std::uint32_t copy_shadow_stack(std::uint64_t* frames, std::uint32_t capacity);

// A barrier of the TSan test interface: *state is {tasks needed, arrivals so far}.
void test_barrier_wait(volatile std::uint64_t* state, std::uint64_t pc);

}  // namespace ravel
