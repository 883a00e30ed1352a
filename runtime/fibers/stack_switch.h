// SPDX-License-Identifier: Apache-2.0
// Leaving a stack, with everything a function call preserves, and coming back to it. FiberCarrier switches tasks by the
// same means; here the other side is code of the runtime that must not be on any stack of the program.
//
// Thread safety: the calling thread's own stacks only.
#pragma once

#include <cstdint>

namespace ravel {

// A stack that was left. Stays valid as long as the memory of the stack is what it was.
struct LeftStack {
  void* stack_pointer = nullptr;
  std::uint64_t fs_base = 0;
};

// Lays out a stack so that switching to the returned stack pointer calls entry(argument), which must not return.
void* first_frame(std::uint64_t top, void (*entry)(void*), void* argument);

std::uint64_t current_fs_base();

// Calls entry(argument) on another stack, which ends at `top`. Returns when somebody comes back to `left`, as often as
// that happens.
void leave_stack(LeftStack& left, std::uint64_t top, void (*entry)(void*), void* argument);
[[noreturn]] void come_back(const LeftStack& left);

}  // namespace ravel
