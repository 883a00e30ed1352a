// SPDX-License-Identifier: Apache-2.0
// FrameLocations: where the local variables of one call are, according to the debug information of its function. Used
// only by module_symbols.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>

#include "reports/symboliser.h"

namespace ravel {

// Its registers are known, memory is not: a location that has to be read from memory stays unknown.
class FrameLocations {
 public:
  FrameLocations(const StackFrame& frame, Dwarf_Die function);

  // The address of a variable; nullopt when it is not in memory at this moment.
  std::optional<std::uint64_t> address_of(Dwarf_Die* variable) const;

 private:
  // A frame base in a register is the register's content; a variable in a register has no address.
  std::optional<std::uint64_t> value(Dwarf_Attribute* attribute, bool is_frame_base) const;

  const StackFrame& frame_;
  std::optional<std::uint64_t> base_;
};

// A variable of a call, and the inlined function it belongs to, if any: that has no call of its own.
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
