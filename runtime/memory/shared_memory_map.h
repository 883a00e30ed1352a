// SPDX-License-Identifier: Apache-2.0
//
// SharedMemoryMap: which code locations touch memory that several tasks use. For every granule it keeps the last
// writer, the last reader and all code locations that touched it, in the cells of ShadowMemory.
//
// A granule becomes shared when two tasks touch it, at least one of them writes, and the two accesses are not ordered
// by the creation or the join of tasks (TaskOrder). Then every location that touched it is marked shared, and so is
// every one that touches it later. Read-only sharing is not shared; memory handed to a new task or taken back by a join
// is not either. Locks do not count: accesses under one lock are shared, since their order is a choice of the schedule.
//
// Two simplifications, both towards more points, never fewer: readers that are not ordered among themselves are
// remembered as "several", and a later write makes the granule shared even if all of them had been joined one by one;
// and locations stay in a granule's set when another task takes it over.
//
// Who calls it: runtime/interpose/memory_operations for each instrumented access while at least two tasks are live.
// With one live task there is nothing to interleave: such accesses are neither tracked nor points.
//
// Thread safety: none; only the running task calls.
//
// Invariant: when a cell is shared, all locations that ever touched it since it was last settled are marked shared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/memory/code_locations.h"
#include "runtime/memory/location_sets.h"
#include "runtime/memory/race_detector.h"
#include "runtime/memory/shadow_memory.h"
#include "runtime/memory/task_order.h"

namespace ravel {

class SharedMemoryMap {
 public:
  void prepare() { shadow_.prepare(); }

  // An access of `task` to [address, address + size), size > 0. Returns whether it is a scheduling point.
  bool note(std::uint64_t address, std::uint64_t size, bool is_write, std::uint64_t pc, TaskId task);

  // The same for an access within one granule whose cell and location are known. `now`: of the accessing task.
  bool note(ShadowCell& cell, Stamp now, bool is_write, CodeLocations::State& location) {
    // The same task did the same in the same epoch: whoever came between made the cell shared.
    if (cell.shared == 0 && (is_write ? cell.write : cell.read) == now) [[likely]] {
      remember(cell, location);
    } else {
      touch(cell, now, is_write, location);
    }
    return location.shared != 0;
  }

  // The memory was given back: what happens at these addresses later has nothing to do with what was there. Cells that
  // are only partly inside are kept. `races` gives up what hangs off the cells, where there is a detector.
  void forget(std::uint64_t address, std::uint64_t size, RaceDetector* races = nullptr);

  Stamp stamp(TaskId task) const { return Stamp(task, order_.tasks()); }
  ShadowMemory& shadow() { return shadow_; }
  CodeLocations& locations() { return locations_; }
  TaskOrder& order() { return order_; }

 private:
  void touch(ShadowCell& cell, Stamp now, bool is_write, CodeLocations::State& location);
  void become_shared(ShadowCell& cell);
  void remember(ShadowCell& cell, CodeLocations::State& location) {
    if (location.shared != 0) return;  // known already: no need to find it again
    if (cell.shared == 0) {
      const std::uint32_t set = sets_.add(cell.locations, location.index);
      if (set != LocationSets::kFull) [[likely]] {
        cell.locations = set;
        return;
      }
    }
    // Shared, or no room to remember: it is a point from now on.
    locations_.mark_shared(location.index);
  }

  ShadowMemory shadow_;
  CodeLocations locations_;
  LocationSets sets_;
  TaskOrder order_;
};

}  // namespace ravel
