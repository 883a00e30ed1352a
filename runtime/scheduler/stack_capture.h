// SPDX-License-Identifier: Apache-2.0
// Stacks for findings, taken by the system's unwinder, so that they include frames of uninstrumented code. Used only
// when something is reported; operations themselves keep the shadow call stack.
#pragma once

#include "trace/channel.h"

namespace ravel {

// Loads the unwinder; called once before the fork so that executions find it in place.
void warm_up_stack_capture();

// Return addresses of the calling task, innermost first. Frames of Ravel itself are included: reports trim them.
void capture_stack(StackRecord& stack);

// The same with the place of each frame; leaves the record empty where the unwinder cannot tell.
void capture_frames(CreationRecord& record);

}  // namespace ravel
