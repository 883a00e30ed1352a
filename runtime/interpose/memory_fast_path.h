// SPDX-License-Identifier: Apache-2.0
//
// The commonest accesses of all: to memory that only the running task has touched, from a place in the code that is no
// scheduling point. No point, no race; only what the shadow remembers moves on. Most accesses of most programs are like
// this, so they are dealt with in a few instructions, inlined into the functions that the compilers call.
//
// Who calls it: runtime/abi/tsan_access.cpp; whatever is not dealt with here goes on to memory_access, which does all
// that this does and everything else.
//
// Thread safety: only a thread that is a task may get past the first test, and one runs at a time.
//
// Invariants:
//  1. `task` is set only while shared accesses are points, races are looked for and no memory is watched.
//  2. A Step says: adding the location of `pc` to the set of locations `set` gives `next`, and that location is no
//     scheduling point. All steps are forgotten when any location becomes one.
#pragma once

#include <cstdint>

#include "runtime/interpose/runtime_mode.h"
#include "runtime/memory/race_detector.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

struct FastPath {
  static constexpr std::uint32_t kPatience = 1U << 16;  // accesses after which somebody looks whether others wait
  static constexpr unsigned kStepBits = 9;
  struct Step {
    std::uint64_t pc;
    std::uint32_t set;
    std::uint32_t next;
    std::uint64_t location;  // index, where an AccessSlot has it
  };

  const Task* task;            // whom the rest is about; nullptr: nobody
  const std::uint32_t* clock;  // its own component
  std::uint64_t slot;          // of its accesses, without the clock
  ShadowMemory* shadow;
  Stamp stamp;
  TaskId tasks;            // there were when stamp was made
  std::uint32_t accesses;  // dealt with here, since somebody looked
  bool wrote;              // one of them was a write
  Step step[1U << kStepBits];

  static std::uint32_t step_index(std::uint64_t pc, std::uint32_t set) {
    return static_cast<std::uint32_t>(((pc + (std::uint64_t{set} << 20)) * 0x9e3779b97f4a7c15ULL) >> (64 - kStepBits));
  }
};

extern constinit FastPath g_fast_path;

// True: the access has been dealt with.
template <unsigned kSize, bool kIsWrite>
inline bool access_alone(std::uint64_t address, std::uint64_t pc) {
  FastPath& fast = g_fast_path;
  if (fast.task == nullptr || &scheduler().current() != fast.task || !on_task_thread()) return false;
  if (fast.tasks != scheduler().task_count()) return false;
  const unsigned offset = address & 7;
  if (offset + kSize > 8) return false;
  ShadowCell* const cell = fast.shadow->seen_cell(address);
  if (cell == nullptr || cell->more != 0) return false;
  const FastPath::Step& step = fast.step[FastPath::step_index(pc, cell->locations)];
  if (step.pc != pc || step.set != cell->locations) return false;
  const std::uint64_t mine = fast.slot | (std::uint64_t{*fast.clock} << AccessSlot::kEpochShift);
  const std::uint64_t bytes = std::uint64_t{(1U << kSize) - 1} << offset;
  std::uint64_t& last = kIsWrite ? cell->last_write : cell->last_read;
  // The same task in the same stretch of its life: only the bytes may be new.
  const bool same_stretch = ((last ^ mine) >> AccessSlot::kAtomicShift) == 0;
  if (!same_stretch || step.next != step.set || (bytes & ~last) != 0) {
    // Only if nobody else has been here, and nothing is lost by remembering this access instead of the last one.
    const auto is_mine = [&](std::uint64_t slot) {
      return slot == 0 || ((slot ^ mine) >> (AccessSlot::kEpochShift + Epoch::kClockBits)) == 0;
    };
    if (!is_mine(cell->last_write) || !is_mine(cell->last_read) || cell->flags() != 0) return false;
    if ((cell->write && cell->write.task() != fast.stamp.task()) ||
        (cell->read && cell->read.task() != fast.stamp.task()))
      return false;
    const std::uint64_t before = last & 0xff;
    if (same_stretch) {
      last |= bytes;
    } else if ((before & ~bytes) == 0) {
      last = mine | step.location | bytes;
    } else {
      return false;
    }
    (kIsWrite ? cell->write : cell->read) = fast.stamp;
    cell->locations = step.next;
  }
  if (kIsWrite) fast.wrote = true;
  return ++fast.accesses < FastPath::kPatience;
}

}  // namespace ravel
