// SPDX-License-Identifier: Apache-2.0
// TaskRecord: a task as reports name it, and what tells them the names of memory: the stack it was created from, the
// blocks of the heap. Written by the target into the channel. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "trace/stack_record.h"

namespace ravel {

// A task as reports name memory and creators.
struct TaskRecord {
  TaskId creator = kNoTask;
  std::uint32_t reserved = 0;
  std::uint64_t create_pc = 0;
  std::uint64_t created[kHeldFrames] = {};  // the calls around create_pc, innermost first, 0-terminated
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t tls_low = 0;   // its thread-local variables; 0: not known
  std::uint64_t tls_high = 0;  // the thread pointer, which they lie below
  char name[16] = {};          // pthread_setname_np
};

// The stack a task was created from: where that was, and which function's variables lie where on its creator's stack.
// Only executions that are to explain something keep it: see WatchRequest::creations.
inline constexpr std::size_t kMaxCreationFrames = 40;
struct CreationFrame {
  std::uint64_t pc = 0;             // return address
  std::uint64_t stack_pointer = 0;  // the lowest address of the frame; the highest is that of the next one
  std::uint64_t frame_pointer = 0;  // the register of that name, whatever it holds
  std::uint64_t gone = 0;           // the step of the first finding that came when the call was over; 0: of none
};
struct CreationRecord {
  std::uint32_t count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t step = 0;                         // how many there had been
  CreationFrame frames[kMaxCreationFrames] = {};  // innermost first; those of Ravel itself are included
};

// A block of the heap: where it was allocated. At TraceLevel::values, those that tasks allocated and those from before
// the first execution that they touched.
inline constexpr std::size_t kAllocationFrames = 12;
struct AllocationRecord {
  std::uint64_t start = 0;
  std::uint64_t size = 0;                        // as the program asked for it
  std::uint64_t step = 0;                        // how many there had been
  std::uint64_t frames[kAllocationFrames] = {};  // return addresses, innermost first, 0-terminated
};

}  // namespace ravel
