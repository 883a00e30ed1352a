// SPDX-License-Identifier: Apache-2.0
// FreeRun: what a parallel run (CarrierKind::free) tells the driver while it runs. Part of the Channel.
//
// Thread safety: every thread of the target writes only its own FreeThread and the chunks of the log it has claimed;
// shared fields are accessed with atomic operations. The driver may read everything at any time, to see whether the
// program makes progress and who waits for whom.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "model/noise.h"
#include "model/operation.h"

namespace ravel {

inline constexpr std::size_t kMaxFreeThreads = 1024;  // later threads run undisturbed and are not reported
inline constexpr std::size_t kFreeHeld = 12;
inline constexpr std::size_t kEventChunk = 1024;
inline constexpr std::size_t kMaxEventChunks = 1U << 12;
inline constexpr std::size_t kMaxInterruptions = 1U << 14;

enum class FreeState : std::uint32_t { none, runs, blocked, disturbed, ended };

// One thread, in cache lines of its own.
struct alignas(64) FreeThread {
  FreeState state = FreeState::none;
  TaskId creator = kNoTask;
  std::uint32_t birth = 0;  // its number among its creator's threads: the same in every run
  std::int32_t thread = 0;  // the kernel's id
  std::uint64_t events = 0;
  std::uint64_t site = 0;  // pc of the latest event
  // While it is blocked: in which operation. `timed`: the wait ends by itself.
  OperationKind kind = OperationKind::read;
  std::uint8_t timed = 0;
  std::uint16_t held_count = 0;  // may be more than fit below
  TaskId joins = kNoTask;        // the thread it waits for in a join
  std::uint64_t object = 0;
  std::uint64_t pc = 0;
  std::uint64_t create_pc = 0;
  std::uint64_t placed[kNoisePlaces] =
      {};                                 // its events by NoisePlace, each counted by its rarity: usually kUsualRarity
  std::uint64_t held[kFreeHeld] = {};     // locks, in the order they were taken; lowest bit set: as a reader
  std::uint64_t held_pc[kFreeHeld] = {};  // where they were taken
};

// A concurrent event in the log. `clock` is a Lamport clock: of two events on the same object, or of one thread, the
// later one has the larger value.
struct FreeEvent {
  std::uint64_t clock = 0;  // 0: not written
  std::uint64_t pc = 0;
  std::uint64_t object = 0;
  OperationKind kind = OperationKind::read;
  std::uint8_t size = 0;  // of accesses; 0 for synchronisation objects
  std::uint8_t own = 0;   // 1: an access to memory that no other thread had touched
  std::uint8_t reserved = 0;
  std::uint32_t reserved1 = 0;
};

// Consecutive events of one thread. The numbers of a thread's chunks grow.
struct EventChunk {
  TaskId task = kNoTask;
  std::uint32_t reserved = 0;
  FreeEvent event[kEventChunk];
};

// While one thread was at `interrupted`, another was at `by`.
struct Interruption {
  std::uint64_t interrupted = 0;  // pc of an event; 0: this entry is free
  std::uint64_t by = 0;
};

struct FreeRun {
  std::uint32_t threads = 0;  // that have existed; at most kMaxFreeThreads are reported
  std::uint32_t chunks = 0;   // claimed; at most kMaxEventChunks exist
  std::uint32_t record_full = 0;
  std::uint32_t interruptions_full = 0;
  std::uint32_t priority_denied = 0;  // the system does not let threads raise their priority back
  std::uint32_t reserved = 0;
  std::uint64_t noises[kNoiseKinds] = {};
  FreeThread thread[kMaxFreeThreads];
  Interruption interruption[kMaxInterruptions];  // a hash table
  EventChunk chunk[kMaxEventChunks];
};

}  // namespace ravel
