// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/race_detector.h"

namespace ravel {

Conflict RaceDetector::access_slowly(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order) {
  const TaskId task = access.task();
  const unsigned mask = access.mask();
  Conflict conflict;
  unsigned others = 0;
  bool looked = false;
  const auto explained_by = [&](Epoch earlier) {
    if (hidden_ == nullptr || !hidden_->used()) return HiddenOrder::kNone;
    if (!looked) hidden_->look(task);
    looked = true;
    return hidden_->known_by(earlier);
  };
  // Looks at an earlier access; returns what is left of it to remember.
  const auto meet = [&](AccessSlot other, bool other_writes) __attribute__((always_inline)) {
    if ((other.mask() & mask) == 0) return other;
    const bool ordered = other.task() == task || order.before(other.epoch(), task);
    const bool harmless = (other.atomic() && access.atomic()) || (!is_write && !other_writes);
    if (!ordered && !harmless) {
      const std::uint32_t object = explained_by(other.epoch());
      if (!conflict || (object == HiddenOrder::kNone && conflict.explained_by != HiddenOrder::kNone)) {
        conflict.other = other;
        conflict.other_writes = other_writes;
        conflict.explained_by = object;
      } else if (others < Conflict::kMostFurther) {
        conflict.further[others++] = other;
      }
      return other.without(mask);  // said once
    }
    // A read does not make earlier writes redundant. Nor does an atomic access make a plain one redundant: a later task
    // may race with the plain one alone.
    const bool useless = ordered && (is_write || !other_writes) && (!access.atomic() || other.atomic());
    return useless ? other.without(mask) : other;
  };

  AccessSlot write = meet(AccessSlot(cell.last_write), true);
  AccessSlot read = meet(AccessSlot(cell.last_read), false);
  if (cell.more != 0) further_.visit(cell.more, access, is_write, meet);

  AccessSlot& place = is_write ? write : read;
  AccessSlot pushed_out;
  if (!place) {
    place = access;
  } else if (place.same_sort(access)) {
    place = AccessSlot(access.bits() | place.mask());
  } else {
    pushed_out = place;
    place = access;
  }
  cell.last_write = write.bits();
  cell.last_read = read.bits();
  if (pushed_out) further_.add(cell.more, pushed_out, is_write);
  return conflict;
}

void RaceDetector::clear(ShadowCell& cell) {
  further_.clear(cell.more);
  cell.last_write = 0;
  cell.last_read = 0;
}

}  // namespace ravel
