// SPDX-License-Identifier: Apache-2.0
// Identifiers shared by every layer. Plain integers: they cross process boundaries.
#pragma once

#include <cstdint>

namespace ravel {

// The n-th task created in an execution; T0 is the program's main thread. Never reused within one execution.
using TaskId = std::uint32_t;

inline constexpr TaskId kNoTask = 0xffffffffU;

// Upper bound on the tasks one execution may create. Per-task tables are laid out for all of them and touched lazily.
inline constexpr std::uint32_t kMaxTasks = 16384;

}  // namespace ravel
