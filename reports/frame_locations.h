// SPDX-License-Identifier: Apache-2.0
// Where the local variables of one call lie, by the debug information of its function. Used by module_symbols alone.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>

#include "reports/symboliser.h"

namespace ravel {

// Where things of one call lie. Its registers are known, memory is not: what has to be read from there stays unknown.
class FrameLocations {
 public:
  FrameLocations(const StackFrame& frame, Dwarf_Die function);

  // The address of a variable; nullopt when it is not in memory at this moment.
  std::optional<std::uint64_t> address_of(Dwarf_Die* variable) const;

 private:
  // A frame base that is a register means its content; a variable in a register has no address.
  std::optional<std::uint64_t> value(Dwarf_Attribute* attribute, bool is_frame_base) const;

  const StackFrame& frame_;
  std::optional<std::uint64_t> base_;
};

// A variable of a call, and the function it was written in: one that was inlined has no call of its own.
struct LocalVariable {
  Dwarf_Die die{};
  std::optional<Dwarf_Die> inlined;
  std::uint64_t start = 0;
  std::uint64_t size = 0;
};

// The variable in `scope`, or in a block inside that is being executed, that holds `address`.
std::optional<LocalVariable> local_at(Dwarf_Die scope, const std::optional<Dwarf_Die>& inlined,
                                      const FrameLocations& places, std::uint64_t pc, std::uint64_t address,
                                      int depth = 0);

}  // namespace ravel
