// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/race_detector.h"

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {

void RaceDetector::prepare() {
  if (further_ != nullptr) return;
  capacity_ = kMostFurther;
  while (further_ == nullptr && capacity_ > 1024) {
    further_ = static_cast<Further*>(reserve_pages(capacity_ * sizeof(Further)));
    if (further_ == nullptr) capacity_ /= 2;
  }
  RAVEL_CHECK(further_ != nullptr, "no address space left for the race detector");
}

Conflict RaceDetector::access_slowly(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order) {
  const TaskId task = access.task();
  const unsigned mask = access.mask();
  Conflict conflict;
  unsigned others = 0;
  // Looks at an earlier access; returns what is left of it to remember.
  const auto meet = [&](AccessSlot other, bool other_writes) {
    if ((other.mask() & mask) == 0) return other;
    const bool ordered = other.task() == task || order.before(other.epoch(), task);
    const bool harmless = (other.atomic() && access.atomic()) || (!is_write && !other_writes);
    if (!ordered && !harmless) {
      if (!conflict) {
        conflict.other = other;
        conflict.other_writes = other_writes;
      } else if (others < Conflict::kMostFurther) {
        conflict.further[others++] = other;
      }
      return other.without(mask);  // said once
    }
    // A read makes earlier writes no less interesting. Nor does an atomic access make a plain one so: whoever comes
    // later may race with the plain one alone.
    const bool useless = ordered && (is_write || !other_writes) && (!access.atomic() || other.atomic());
    return useless ? other.without(mask) : other;
  };

  AccessSlot write = meet(AccessSlot(cell.last_write), true);
  AccessSlot read = meet(AccessSlot(cell.last_read), false);
  std::uint32_t previous = 0;
  for (std::uint32_t number = cell.more; number != 0;) {
    Further& further = further_[number];
    const std::uint32_t next = further.next;
    further.slot = meet(AccessSlot(further.slot), further.is_write != 0).bits();
    if (further.slot == 0) {
      if (previous == 0) {
        cell.more = next;
      } else {
        further_[previous].next = next;
      }
      further.next = free_;
      free_ = number;
    } else {
      previous = number;
    }
    number = next;
  }

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
  if (pushed_out) add_further(cell, pushed_out, is_write);
  return conflict;
}

void RaceDetector::add_further(ShadowCell& cell, AccessSlot access, bool is_write) {
  for (std::uint32_t number = cell.more; number != 0; number = further_[number].next) {
    Further& further = further_[number];
    if ((further.is_write != 0) != is_write || !AccessSlot(further.slot).same_sort(access)) continue;
    further.slot |= access.mask();
    return;
  }
  const std::uint32_t number = new_further();
  if (number == 0) return;  // no room: forgotten, which can only hide a race
  further_[number] = Further{access.bits(), cell.more, is_write ? 1U : 0U};
  cell.more = number;
}

std::uint32_t RaceDetector::new_further() {
  if (free_ != 0) {
    const std::uint32_t number = free_;
    free_ = further_[number].next;
    return number;
  }
  return used_ < capacity_ ? used_++ : 0;
}

void RaceDetector::clear(ShadowCell& cell) {
  for (std::uint32_t number = cell.more; number != 0;) {
    const std::uint32_t next = further_[number].next;
    further_[number].next = free_;
    free_ = number;
    number = next;
  }
  cell.more = 0;
  cell.last_write = 0;
  cell.last_read = 0;
}

}  // namespace ravel
