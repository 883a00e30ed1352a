// SPDX-License-Identifier: Apache-2.0
#include "runtime/scheduler/stack_capture.h"

#include <execinfo.h>

#include "runtime/scheduler/task_thread.h"

namespace ravel {

void warm_up_stack_capture() {
  const EngineBypass bypass;  // the unwinder calls pthread_once
  void* frames[4];
  backtrace(frames, 4);
}

void capture_stack(StackRecord& stack) {
  const EngineBypass bypass;
  void* frames[kMaxFrames];
  const int count = backtrace(frames, static_cast<int>(kMaxFrames));
  stack.count = 0;
  for (int i = 0; i < count; ++i) stack.frames[stack.count++] = reinterpret_cast<std::uint64_t>(frames[i]);
}

}  // namespace ravel
