// SPDX-License-Identifier: Apache-2.0
//
// RaceDetector: which two accesses to the same bytes are not ordered by the program, at least one of them writing and
// not both atomic. FastTrack (Flanagan and Freund, 2009) over the cells of ShadowMemory, precise to the byte.
//
// A cell holds the latest write and the latest read of its granule, each with the bytes it touched. That is nearly
// always enough. Where it is not (several readers that nothing orders, neighbouring bytes written by different tasks,
// atomics), further accesses hang off the cell (FurtherAccesses). An access is dropped when a later one makes it
// redundant: anything not ordered with the dropped one is then not ordered with the later one either.
//
// The stack of an access is not kept: when a race is found, the driver runs the execution again with that memory
// watched.
//
// Who calls it: runtime/interpose/memory_operations, when an access takes effect: after its scheduling point.
//
// Thread safety: none; only the running task calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/access_slot.h"
#include "runtime/memory/further_accesses.h"
#include "runtime/memory/happens_before.h"
#include "runtime/memory/hidden_order.h"
#include "runtime/memory/shadow_memory.h"

namespace ravel {

// The earlier access that the new one races with, and further ones, as far as there is room. One that nothing orders
// comes before those that hidden order could explain.
struct Conflict {
  static constexpr unsigned kMostFurther = 3;

  AccessSlot other;
  bool other_writes = false;
  std::uint32_t explained_by = HiddenOrder::kNone;  // the object that could order the two
  AccessSlot further[kMostFurther];

  explicit operator bool() const { return static_cast<bool>(other); }
};

class RaceDetector {
 public:
  // Reserves address space. Once, before any fork.
  void prepare(HiddenOrder& hidden) {
    hidden_ = &hidden;
    further_.prepare();
  }

  // Has the same task made an equal access in the same stretch, so that it cannot be part of a new race?
  static bool seen_before(const ShadowCell& cell, AccessSlot access, bool is_write) {
    const AccessSlot last(is_write ? cell.last_write : cell.last_read);
    return last.same_sort(access) && last.covers(access.mask());
  }

  // The access takes effect. The latest place of a stretch is remembered: a race leads to it first, and once a task can
  // be stopped there, to those before it.
  Conflict access(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order) {
    if (!seen_before(cell, access, is_write)) return access_slowly(cell, access, is_write, order);
    std::uint64_t& last = is_write ? cell.last_write : cell.last_read;
    last = access.with(AccessSlot(last).mask()).bits();
    return {};
  }

  // The same for a cell that stands for many alike, as long as nothing has to hang off it: the access comes after all
  // that the cell knows of, and touches all of its bytes. False: nothing was changed, each cell must be looked at.
  static bool access_in_order(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order) {
    const auto known = [&](std::uint64_t slot) {
      return slot == 0 || AccessSlot(slot).task() == access.task() ||
             order.before(AccessSlot(slot).epoch(), access.task());
    };
    if (cell.more != 0 || !known(cell.last_write) || !known(cell.last_read)) return false;
    if (is_write) {
      cell.last_write = access.bits();
      cell.last_read = 0;
    } else {
      cell.last_read = access.bits();
    }
    return true;
  }

  // A plain read in a new stretch, of memory that another task reads too. Does what access() does, if that is all there
  // is to it: the read that the other task made is not ordered before and stays, the last one of this task goes. False:
  // nothing was changed. `known(slot)` tells whether the task knows of an access.
  template <typename Known>
  bool read_beside_another(ShadowCell& cell, AccessSlot access, Known known) {
    std::uint64_t* const further = further_.only_plain_read(cell.more);
    const AccessSlot last(cell.last_read);
    if (further == nullptr || !last || last.atomic() || !known(cell.last_write)) return false;
    const bool last_is_own = last.task() == access.task();
    const AccessSlot own(last_is_own ? last.bits() : *further);
    const AccessSlot other(last_is_own ? *further : last.bits());
    if (own.task() != access.task() || !access.covers(own.mask()) || known(other.bits())) return false;
    *further = other.bits();
    cell.last_read = access.bits();
    return true;
  }

  // What was there is over: new memory, or freed.
  void clear(ShadowCell& cell);

 private:
  Conflict access_slowly(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order);

  FurtherAccesses further_;
  HiddenOrder* hidden_ = nullptr;
};

}  // namespace ravel
