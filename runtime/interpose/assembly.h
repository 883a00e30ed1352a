// SPDX-License-Identifier: Apache-2.0
//
// Locked instructions in instrumented modules: assembly that the program contains, or a library that was linked into it
// without being instrumented. Instrumented code has none of its own. Each is replaced by a jump to a copy of it, which
// first notes that the task was there.
//
// Such code may release by an ordinary store, which is not noticed: at a locked instruction a task may learn all that
// was done until then by those who have been at one, too. A loop that spins there lets others run.
//
// A jump takes five bytes. For a shorter instruction, those that follow it are moved as well, unless something branches
// to them. Where that cannot be done the instruction stays as it is, and is not noticed.
//
// Who calls it: unseen_code. Thread safety: none; noted on the running task.
#pragma once

#include <cstdint>

#include "runtime/interpose/code_patches.h"

namespace ravel {

// Lets the locked instructions of this module be noticed.
void notice_assembly_of(const LoadedModule& module);

// The object of HiddenOrder that stands for this locked instruction; it is given out by unseen_code.
std::uint32_t object_of_assembly(std::uint64_t instruction);

}  // namespace ravel
