// SPDX-License-Identifier: Apache-2.0
// TaskRecord: a task as reports name it. CreationRecord and AllocationRecord: what reports name memory by: the stack a
// task was created from, the heap blocks. Written by the target into the channel. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "trace/stack_record.h"

namespace ravel {

// What reports need to name a task's memory and its creator.
struct TaskRecord {
  TaskId creator = kNoTask;
  std::uint32_t reserved = 0;
  std::uint64_t create_pc = 0;
  std::uint64_t created[kHeldFrames] = {};  // the calls around create_pc, innermost first, 0-terminated
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t tls_low = 0;   // its thread-local variables; 0: not known
  std::uint64_t tls_high = 0;  // the thread pointer; they are below it
  char name[16] = {};          // pthread_setname_np
};

// The stack a task was created from: where that was, and which function's variables are where on its creator's stack.
// Kept only by executions that are meant to explain something: see WatchRequest::creations.
inline constexpr std::size_t kMaxCreationFrames = 40;
struct CreationFrame {
  std::uint64_t pc = 0;             // return address
  std::uint64_t stack_pointer = 0;  // the lowest address of the frame; the highest is that of the next one
  std::uint64_t frame_pointer = 0;  // the register of that name, whatever it contains
  std::uint64_t gone = 0;           // the step of the first finding after the call had returned; 0: none
};
struct CreationRecord {
  std::uint32_t count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t step = 0;                         // steps made before it
  CreationFrame frames[kMaxCreationFrames] = {};  // innermost first; those of Ravel itself are included
};

// A heap block and where it was allocated. At TraceLevel::values: blocks that tasks allocated, and blocks from before
// the first execution that they touched.
inline constexpr std::size_t kAllocationFrames = 12;
struct AllocationRecord {
  std::uint64_t start = 0;
  std::uint64_t size = 0;  // as the program asked for it
  std::uint64_t step = 0;  // steps made before it
  TaskId task = kNoTask;   // who allocated it; kNoTask: it is from before the first execution
  std::uint32_t reserved = 0;
  std::uint64_t frames[kAllocationFrames] = {};  // return addresses, innermost first, 0-terminated
};

}  // namespace ravel
