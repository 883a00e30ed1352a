// SPDX-License-Identifier: Apache-2.0
//
// RaceDetector: which two accesses to the same bytes are not ordered by the program, at least one of them writing and
// not both atomic. FastTrack (Flanagan and Freund, 2009) over the cells of ShadowMemory, precise to the byte.
//
// A cell holds the latest write and the latest read of its granule, each with the bytes it touched. That is nearly
// always all there is to know. Where it is not (several readers that nothing orders, neighbouring bytes written by
// different tasks, atomics), further accesses hang off the cell in a chain. An access is dropped when a later one makes
// it useless: whatever is not ordered with the dropped one is then not ordered with the later one either.
//
// An access is remembered by who made it (Epoch), which bytes, where in the code, and whether it was atomic. Its stack
// is not: when a race is found the driver runs the execution again and has its memory watched.
//
// Who calls it: runtime/interpose/memory_operations, when an access takes effect: after its scheduling point.
//
// Thread safety: none; only the running task calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/happens_before.h"
#include "runtime/memory/shadow_memory.h"

namespace ravel {

// One remembered access, in eight bytes. 0: none.
class AccessSlot {
 public:
  static constexpr unsigned kMaskBits = 8;
  static constexpr unsigned kLocationBits = 17;
  static constexpr std::uint32_t kLocations = 1U << kLocationBits;  // later ones are not remembered: 0
  static constexpr unsigned kAtomicShift = kMaskBits + kLocationBits;
  static constexpr unsigned kEpochShift = kAtomicShift + 1;
  static_assert(kEpochShift + Epoch::kClockBits + Epoch::kTaskBits == 64);

  constexpr AccessSlot() = default;
  constexpr explicit AccessSlot(std::uint64_t bits) : bits_(bits) {}
  constexpr AccessSlot(Epoch epoch, bool atomic, std::uint32_t location, unsigned mask)
      : bits_((epoch.bits() << kEpochShift) | (std::uint64_t{atomic} << kAtomicShift) |
              (std::uint64_t{location < kLocations ? location : 0} << kMaskBits) | mask) {}

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr unsigned mask() const { return bits_ & 0xff; }
  constexpr std::uint32_t location() const { return (bits_ >> kMaskBits) & (kLocations - 1); }
  constexpr bool atomic() const { return ((bits_ >> kAtomicShift) & 1) != 0; }
  constexpr Epoch epoch() const { return Epoch::from_bits(bits_ >> kEpochShift); }
  constexpr TaskId task() const { return epoch().task(); }

  // The same task, stretch and sort of access.
  constexpr bool same_sort(AccessSlot other) const { return ((bits_ ^ other.bits_) >> kAtomicShift) == 0; }
  // And made at the same place.
  constexpr bool same_place(AccessSlot other) const { return ((bits_ ^ other.bits_) >> kMaskBits) == 0; }
  constexpr bool covers(unsigned bytes) const { return (bytes & ~mask()) == 0; }
  constexpr AccessSlot without(unsigned bytes) const {
    const std::uint64_t rest = bits_ & ~std::uint64_t{bytes};
    return AccessSlot((rest & 0xff) == 0 ? 0 : rest);
  }
  constexpr AccessSlot with(unsigned bytes) const { return AccessSlot(bits_ | bytes); }
  constexpr explicit operator bool() const { return bits_ != 0; }

 private:
  std::uint64_t bits_ = 0;
};

// The earlier access that the new one races with, and further ones, as far as there is room.
struct Conflict {
  static constexpr unsigned kMostFurther = 3;

  AccessSlot other;
  bool other_writes = false;
  AccessSlot further[kMostFurther];

  explicit operator bool() const { return static_cast<bool>(other); }
};

class RaceDetector {
 public:
  // Reserves address space. Once, before any fork.
  void prepare();

  // Has the same task made an equal access in the same stretch, so that it cannot race with anybody new?
  static bool seen_before(const ShadowCell& cell, AccessSlot access, bool is_write) {
    const AccessSlot last(is_write ? cell.last_write : cell.last_read);
    return last.same_sort(access) && last.covers(access.mask());
  }

  // The access takes effect. The latest place of a stretch is what is remembered: a race then leads to it, and once a
  // task can be stopped there, to those before it.
  Conflict access(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order) {
    if (!seen_before(cell, access, is_write)) return access_slowly(cell, access, is_write, order);
    std::uint64_t& last = is_write ? cell.last_write : cell.last_read;
    last = access.with(AccessSlot(last).mask()).bits();
    return {};
  }

  // What was there is over: new memory, or freed.
  void clear(ShadowCell& cell);

 private:
  struct Further {
    std::uint64_t slot;
    std::uint32_t next;
    std::uint32_t is_write;
  };
  static constexpr std::size_t kMostFurther = std::size_t{1} << 28;

  Conflict access_slowly(ShadowCell& cell, AccessSlot access, bool is_write, const HappensBefore& order);
  void add_further(ShadowCell& cell, AccessSlot access, bool is_write);
  std::uint32_t new_further();

  Further* further_ = nullptr;
  std::size_t capacity_ = 0;
  std::uint32_t used_ = 1;  // number 0 is none
  std::uint32_t free_ = 0;
};

}  // namespace ravel
