// SPDX-License-Identifier: Apache-2.0
#include "runtime/fibers/stack_switch.h"

#include <immintrin.h>

extern "C" {
void ravel_fiber_switch(void** save_stack_pointer, void* stack_pointer, std::uint64_t fs_base);
void ravel_fiber_start();
}

namespace ravel {

__attribute__((target("fsgsbase"))) std::uint64_t current_fs_base() { return _readfsbase_u64(); }

// The first switch to it "returns" into ravel_fiber_start.
void* first_frame(std::uint64_t top, void (*entry)(void*), void* argument) {
  auto* sp = reinterpret_cast<std::uint64_t*>(top & ~std::uint64_t{15});
  *--sp = 0;  // keeps the stack 16-byte aligned at the call in ravel_fiber_start
  *--sp = 0;
  *--sp = reinterpret_cast<std::uint64_t>(&ravel_fiber_start);
  *--sp = 0;                                          // rbp
  *--sp = reinterpret_cast<std::uint64_t>(entry);     // rbx
  *--sp = reinterpret_cast<std::uint64_t>(argument);  // r12
  *--sp = 0;                                          // r13
  *--sp = 0;                                          // r14
  *--sp = 0;                                          // r15
  *--sp = 0x0000037f00001f80ULL;                      // x87 control word and mxcsr: the ABI's defaults
  return sp;
}

void leave_stack(LeftStack& left, std::uint64_t top, void (*entry)(void*), void* argument) {
  left.fs_base = current_fs_base();
  ravel_fiber_switch(&left.stack_pointer, first_frame(top, entry, argument), left.fs_base);
}

void come_back(const LeftStack& left) {
  void* here = nullptr;
  ravel_fiber_switch(&here, left.stack_pointer, left.fs_base);
  __builtin_unreachable();
}

}  // namespace ravel
