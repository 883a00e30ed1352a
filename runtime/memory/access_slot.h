// SPDX-License-Identifier: Apache-2.0
//
// AccessSlot: one access as RaceDetector remembers it: the task and epoch, which bytes of the granule, the code
// location, and whether it was atomic.
//
// Thread safety: a value.
#pragma once

#include <cstdint>

#include "runtime/memory/happens_before.h"

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

  // The same task, stretch and kind of access.
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

}  // namespace ravel
