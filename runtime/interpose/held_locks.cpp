// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/held_locks.h"

#include "runtime/fibers/carrier.h"

extern "C" void* __libc_stack_end;  // NOLINT: the loader's name for the top of the main thread's stack

namespace ravel {
// The frames above the call at `pc`: from the shadow call stack where the program is instrumented, else along the frame
// pointers, as far as they lead. A lock is taken too often for a real unwinder.
void record_lock_frames(const Task& task, std::uint64_t pc, std::uint64_t (&frames)[HeldLocks::kFrames]) {
  std::uint32_t count = 0;
  frames[count++] = pc;
  const ShadowStack& shadow = task.shadow;
  if (shadow.depth > 0) {
    std::uint32_t depth = shadow.depth < ShadowStack::kDepth ? shadow.depth : ShadowStack::kDepth;
    while (depth > 0 && count < HeldLocks::kFrames) frames[count++] = shadow.frames[--depth];
  } else {
    const std::uint64_t high = task.context != nullptr && task.context->stack_high != 0
                                   ? task.context->stack_high
                                   : reinterpret_cast<std::uint64_t>(__libc_stack_end);
    auto frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    bool above_call = false;
    for (std::uint32_t steps = 0; steps < 32 && count < HeldLocks::kFrames; ++steps) {
      const auto* words = reinterpret_cast<const std::uint64_t*>(frame);
      const std::uint64_t next = words[0];
      if (above_call) frames[count++] = words[1];
      if (words[1] == pc) above_call = true;
      if (next <= frame || next % 8 != 0 || next + 16 > high) break;
      frame = next;
    }
  }
  while (count < HeldLocks::kFrames) frames[count++] = 0;
}

void add_held_lock(Task& task, std::uint64_t lock, std::uint64_t pc, bool shared) {
  HeldLocks& held = task.held;
  if (held.count < HeldLocks::kCapacity) {
    held.address[held.count] = lock;
    held.shared[held.count] = shared;
    record_lock_frames(task, pc, held.pc[held.count]);
  }
  ++held.count;
}

bool holds_lock(const Task& task, std::uint64_t lock) {
  for (std::uint32_t i = kept_locks(task.held); i > 0; --i) {
    if (task.held.address[i - 1] == lock) return true;
  }
  return false;
}

void remove_held_lock(Task& task, std::uint64_t lock) {
  HeldLocks& held = task.held;
  const std::uint32_t kept = kept_locks(held);
  for (std::uint32_t i = kept; i > 0; --i) {
    if (held.address[i - 1] != lock) continue;
    for (std::uint32_t j = i; j < kept; ++j) {
      held.address[j - 1] = held.address[j];
      held.shared[j - 1] = held.shared[j];
      for (std::uint32_t k = 0; k < HeldLocks::kFrames; ++k) held.pc[j - 1][k] = held.pc[j][k];
    }
    held.address[kept - 1] = 0;
    --held.count;
    return;
  }
  if (held.count > HeldLocks::kCapacity) --held.count;
}

}  // namespace ravel
