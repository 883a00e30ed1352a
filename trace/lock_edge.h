// SPDX-License-Identifier: Apache-2.0
// LockEdge: a pair of a held and a wanted lock, as the target writes it into the channel. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "model/operation.h"
#include "trace/stack_record.h"

namespace ravel {

// A task wanted a lock while it held another. runtime/interpose/lock_order records it, driver/campaign/lock_order draws
// the conclusions.
inline constexpr std::size_t kMaxLockEdges = 512;
inline constexpr std::size_t kMaxGates = 8;
struct LockEdge {
  std::uint64_t held = 0;
  std::uint64_t wanted = 0;
  std::uint32_t held_serial = 0;  // its number among the locks at its address
  std::uint32_t wanted_serial = 0;
  TaskId task = kNoTask;
  OperationKind wanted_kind = OperationKind::mutex_lock;
  std::uint8_t held_shared = 0;  // held by a reader
  std::uint16_t reserved = 0;
  std::uint64_t held_pc[kHeldFrames] = {};  // where it was taken: return addresses, innermost first, 0-terminated
  std::uint64_t wanted_pc[kHeldFrames] = {};
  std::uint64_t gate[kMaxGates] = {};            // other locks held, 0-terminated; lowest bit: by a reader
  std::uint64_t after[kMaxLockEdges / 64] = {};  // bit n: edge n is ordered before it by creation and joins
};

}  // namespace ravel
