// SPDX-License-Identifier: Apache-2.0
// StackRecord: a stack as the target writes it into the channel. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

inline constexpr std::size_t kMaxFrames = 48;
inline constexpr std::size_t kHeldFrames = 6;  // lock_guard -> unique_lock -> mutex -> gthread leaves one for the user

struct StackRecord {
  std::uint32_t count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t frames[kMaxFrames] = {};  // return addresses, innermost first; frames[0] is inside the operation's call
};

}  // namespace ravel
