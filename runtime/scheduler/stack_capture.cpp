// SPDX-License-Identifier: Apache-2.0
#include "runtime/scheduler/stack_capture.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unwind.h>

#include "runtime/scheduler/task_thread.h"

namespace ravel {
namespace {

// What backtrace itself uses. It is in libgcc_s, which libravel must not depend on.
struct Unwinder {
  decltype(&_Unwind_Backtrace) walk = nullptr;
  decltype(&_Unwind_GetIP) pc = nullptr;
  decltype(&_Unwind_GetCFA) stack_pointer = nullptr;
  decltype(&_Unwind_GetGR) general_register = nullptr;
};
constinit Unwinder g_unwinder;

constexpr int kFramePointer = 6;  // rbp, as DWARF numbers registers

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  CreationRecord& record = *static_cast<CreationRecord*>(argument);
  if (record.count == kMaxCreationFrames) return _URC_END_OF_STACK;
  CreationFrame& frame = record.frames[record.count++];
  frame.gone = 0;
  frame.pc = g_unwinder.pc(context);
  // While a frame is visited, what the unwinder calls the CFA is still that of the call below it: the stack pointer
  // here.
  frame.stack_pointer = g_unwinder.stack_pointer(context);
  frame.frame_pointer = g_unwinder.general_register(context, kFramePointer);
  return _URC_NO_REASON;
}

}  // namespace

void warm_up_stack_capture() {
  const EngineBypass bypass;  // the unwinder calls pthread_once
  void* frames[4];
  backtrace(frames, 4);  // loads the library if it is not loaded yet
  void* const library = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  Unwinder found;
  found.walk = reinterpret_cast<decltype(found.walk)>(dlsym(library, "_Unwind_Backtrace"));
  found.pc = reinterpret_cast<decltype(found.pc)>(dlsym(library, "_Unwind_GetIP"));
  found.stack_pointer = reinterpret_cast<decltype(found.stack_pointer)>(dlsym(library, "_Unwind_GetCFA"));
  found.general_register = reinterpret_cast<decltype(found.general_register)>(dlsym(library, "_Unwind_GetGR"));
  const bool complete = found.walk != nullptr && found.pc != nullptr && found.stack_pointer != nullptr &&
                        found.general_register != nullptr;
  if (complete) g_unwinder = found;
}

void capture_frames(CreationRecord& record) {
  const EngineBypass bypass;
  record.count = 0;
  if (g_unwinder.walk != nullptr) g_unwinder.walk(&add_frame, &record);
}

void capture_stack(StackRecord& stack) {
  const EngineBypass bypass;
  void* frames[kMaxFrames];
  const int count = backtrace(frames, static_cast<int>(kMaxFrames));
  stack.count = 0;
  for (int i = 0; i < count; ++i) stack.frames[stack.count++] = reinterpret_cast<std::uint64_t>(frames[i]);
}

}  // namespace ravel
