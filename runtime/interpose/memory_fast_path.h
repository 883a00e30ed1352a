// SPDX-License-Identifier: Apache-2.0
//
// The fast path for the most common accesses: not a scheduling point, and ordered after every earlier access to the
// memory. There is no race; only the shadow is updated. Nearly all accesses of nearly all programs are like this, so
// they are handled in a few instructions, inlined into the functions that compilers call.
//
// Who calls it: runtime/abi/tsan_access.cpp. What is not handled here is left to memory_access, which does all that
// this does and everything else.
//
// Thread safety: only a thread that is a task may get past the first test, and one runs at a time.
//
// Invariants:
//  1. `task` is set only while accesses that race are points, no memory is watched and no values are traced.
//  2. `place` holds only code locations that are not scheduling points. All are forgotten when any location becomes
//  one.
//  3. Whether an access is a point does not depend on where it is handled, here or in memory_access: executions are
//     repeated with watched memory, which disables the fast path, and must have the same points.
#pragma once

#include <cstdint>

#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/memory/race_detector.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

struct FastPath {
  static constexpr std::uint32_t kPatience = 1U << 16;  // accesses without a step after which a task yields
  static constexpr unsigned kPlaceBits = 9;
  struct Place {
    std::uint64_t pc;
    std::uint64_t location;  // index, where an AccessSlot has it
  };

  const Task* task;            // the task that the next three are about; nullptr: none
  const std::uint32_t* clock;  // what it knows of each task, by TaskId; moves when a task is created
  std::uint64_t slot;          // of its accesses, without the clock
  TaskId id;
  ShadowMemory* shadow;
  RaceDetector* races;
  Place place[1U << kPlaceBits];

  static std::uint32_t place_index(std::uint64_t pc) {
    return static_cast<std::uint32_t>((pc * 0x9e3779b97f4a7c15ULL) >> (64 - kPlaceBits));
  }

  void adopt(const Task& now) {
    task = &now;
    id = now.id;
    clock = happens_before().own_clock(id) - id;
    slot = AccessSlot(Epoch(id, 0), false, 0, 0).bits();
  }

  // Did the task do it, or does it know of it? Nothing (0) is known to every task.
  bool knows(std::uint64_t slot_bits) const {
    const Epoch epoch = AccessSlot(slot_bits).epoch();
    return slot_bits == 0 || epoch.clock() <= clock[epoch.task()];
  }
  bool is_others(std::uint64_t slot_bits) const { return slot_bits != 0 && AccessSlot(slot_bits).task() != id; }
};

extern constinit FastPath g_fast_path;

// Part of the identity a task borrows, like the mark of a task: it needs no table. Counts, by IgnoredAccess.
extern constinit thread_local std::uint32_t t_ignored[2] __attribute__((tls_model("initial-exec")));
inline bool ignores_accesses() { return (t_ignored[0] | t_ignored[1]) != 0; }

// Sends the next access to memory_access: what the fast path knows of the task is out of date.
inline void forget_fast_path() { g_fast_path.task = nullptr; }

template <unsigned kSize>
inline std::uint64_t value_at(std::uint64_t address) {
  std::uint64_t value = 0;
  if constexpr (kSize <= sizeof value) __builtin_memcpy(&value, reinterpret_cast<const void*>(address), kSize);
  return value;
}

// What a task has seen at a place, for Scheduler::looked.
inline std::uint64_t look(std::uint64_t address, std::uint64_t pc, std::uint64_t value) {
  return (pc ^ address ^ value) * 0x9e3779b97f4a7c15ULL;
}

// Is what the fast path knows about the running task?
inline bool fast_path_is_current() { return &scheduler().current() == g_fast_path.task && on_task_thread(); }

// The running task goes on where another one was at work. False: it is not one for the fast path.
bool take_over_fast_path();

// -- the parts that are seldom needed: functions of their own, called last, so that the common path saves no registers

template <unsigned kSize>
[[gnu::noinline]] void read_beside_another(ShadowCell& cell, AccessSlot now, std::uint64_t address, std::uint64_t pc) {
  const FastPath& fast = g_fast_path;
  const std::uint64_t write = cell.last_write;
  const auto known = [&](std::uint64_t slot) { return fast.knows(slot); };
  if (!fast.races->read_beside_another(cell, now, known)) {
    return memory_access(address, kSize, OperationKind::read, pc);
  }
  if (write == 0 || fast.is_others(write) || fast.task->held.count != 0) {
    scheduler().looked(look(address, pc, value_at<kSize>(address)));
  }
  if (++scheduler().stretch().accesses >= FastPath::kPatience) memory_access(address, kSize, OperationKind::read, pc);
}

template <unsigned kSize, OperationKind kKind>
[[gnu::noinline]] void wrote_after_another(std::uint64_t address, std::uint64_t pc) {
  scheduler().memory_written(address, kSize);
  if (scheduler().stretch().accesses >= FastPath::kPatience) memory_access(address, kSize, kKind, pc);
}

// -- an access of the running task, if fast_path_is_current()

template <unsigned kSize, OperationKind kKind>
[[gnu::always_inline]] inline void access_in_order(std::uint64_t address, std::uint64_t pc) {
  constexpr bool kIsWrite = kKind != OperationKind::read;
  const FastPath& fast = g_fast_path;
  const unsigned offset = address & 7;
  if (offset + kSize > 8) return memory_access(address, kSize, kKind, pc);
  ShadowCell* const cell = fast.shadow->seen_cell(address);
  if (cell == nullptr || cell->flags()) return memory_access(address, kSize, kKind, pc);
  const FastPath::Place& place = fast.place[FastPath::place_index(pc)];
  if (place.pc != pc) return memory_access(address, kSize, kKind, pc);
  const std::uint64_t mine = fast.slot | (std::uint64_t{fast.clock[fast.id]} << AccessSlot::kEpochShift);
  const std::uint64_t bytes = std::uint64_t{(1U << kSize) - 1} << offset;
  const std::uint64_t write = cell->last_write;
  const std::uint64_t read = cell->last_read;
  const auto same_stretch = [mine](std::uint64_t slot) { return ((slot ^ mine) >> AccessSlot::kAtomicShift) == 0; };
  const std::uint64_t last = kIsWrite ? write : read;
  const bool merges = same_stretch(last);
  const std::uint64_t now = mine | place.location | bytes | (merges ? last & 0xff : 0);
  Scheduler::Stretch& stretch = scheduler().stretch();
  if (merges && (bytes & ~last) == 0) {
    // The same task in the same stretch of its life: only the place may be new.
    if (now != last) (kIsWrite ? cell->last_write : cell->last_read) = now;
    ++stretch.accesses;
    if constexpr (kIsWrite) stretch.wrote = true;
  } else {
    if (cell->more != 0) {
      if constexpr (kIsWrite) return memory_access(address, kSize, kKind, pc);
      return read_beside_another<kSize>(*cell, AccessSlot(now), address, pc);
    }
    // Only if all earlier accesses are known, and nothing is lost by remembering this access instead of the last.
    if (!fast.knows(write) || !fast.knows(read) || (!merges && (last & 0xff & ~bytes) != 0)) {
      return memory_access(address, kSize, kKind, pc);
    }
    ++stretch.accesses;
    if constexpr (kIsWrite) {
      stretch.wrote = true;
      cell->last_write = now;
      if (read != 0) cell->last_read = AccessSlot(read).without(static_cast<unsigned>(bytes)).bits();
      if (fast.is_others(write) || fast.is_others(read)) return wrote_after_another<kSize, kKind>(address, pc);
    } else {
      cell->last_read = now;
      if (write == 0 || fast.is_others(write) || fast.task->held.count != 0) {
        scheduler().looked(look(address, pc, value_at<kSize>(address)));
      }
    }
  }
  if (stretch.accesses >= FastPath::kPatience) [[unlikely]]
    return memory_access(address, kSize, kKind, pc);
}

}  // namespace ravel
