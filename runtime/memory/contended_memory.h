// SPDX-License-Identifier: Apache-2.0
//
// ContendedMemory: which code locations touch memory that tasks race for. Accesses at such locations are scheduling
// points; all other plain accesses are not.
//
// Why only those: where the program orders two accesses (by locks, atomics, creation, joins), no switch between them
// can change what either sees; the switches that can are at the operations that make the order, which are points
// themselves. A switch right before an access matters only if nothing orders it with another. (CHESS, Musuvathi et al.,
// OSDI 2008, relies on the same argument.) RaceDetector finds such accesses even when this schedule did not run them in
// the bad order.
//
// When a race is found, its two code locations become points, and so does every location that touches that memory
// later. Locations that touched it before follow as soon as a schedule makes them race: once the later access of their
// task is a point, a switch right before it does.
//
// Who calls it: runtime/interpose/memory_operations for each instrumented access while at least two tasks are live.
// With one live task there is nothing to interleave: such accesses are neither tracked nor points.
//
// Thread safety: none; only the running task calls.
//
// Invariant: when a cell is contended, all locations that have touched it since are marked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/code_locations.h"
#include "runtime/memory/race_detector.h"
#include "runtime/memory/shadow_memory.h"

namespace ravel {

class ContendedMemory {
 public:
  void prepare() {
    shadow_.prepare();
    locations_.prepare();
  }

  // An access from `pc` to [address, address + size), size > 0. Returns whether it is a scheduling point.
  bool note(std::uint64_t address, std::uint64_t size, std::uint64_t pc);

  // The same for an access within one granule whose cell and location are known.
  bool note(ShadowCell& cell, CodeLocations::State& location) {
    if (location.shared != 0) return true;
    if (cell.contended == 0) [[likely]]
      return false;
    locations_.mark_shared(location.index);
    return true;
  }

  // This access races for the memory of this cell.
  void raced(ShadowCell& cell, AccessSlot access, const Conflict& conflict) {
    cell.contended = 1;
    mark(access);
    mark(conflict.other);
    for (const AccessSlot further : conflict.further) mark(further);
  }

  // The memory was given back: what happens at these addresses later has nothing to do with what was there. Cells that
  // are only partly inside are kept. `races`, if there is a detector, drops what hangs off the cells.
  void forget(std::uint64_t address, std::uint64_t size, RaceDetector* races = nullptr);

  ShadowMemory& shadow() { return shadow_; }
  CodeLocations& locations() { return locations_; }

 private:
  void mark(AccessSlot access) {
    if (access.location() != 0) locations_.mark_shared(access.location());
  }

  ShadowMemory shadow_;
  CodeLocations locations_;
};

}  // namespace ravel
