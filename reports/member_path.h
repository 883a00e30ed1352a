// SPDX-License-Identifier: Apache-2.0
// MemberPath: from a type and an offset in it to the words a programmer uses: ".history[1]". Reads DWARF on demand.
//
// Who calls it: ModuleSymbols, once per variable that a report names. Thread safety: that of the Dwarf it reads.
//
// Invariants:
//  1. The path never goes into a type the user did not write: a std::mutex or a std::vector is a leaf.
//  2. Where the path ends, `rest` says how many bytes are left; path and rest together always reach the place.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <string>

#include "reports/symboliser.h"

namespace ravel {

struct MemberPath {
  std::string text;
  std::uint64_t rest = 0;
  ValueKind kind = ValueKind::unknown;
};

// The smallest part of `type` that holds `size` bytes at `offset`. `is_library` is true for types that are not opened.
MemberPath member_path(Dwarf_Die type, std::uint64_t offset, std::uint64_t size,
                       const std::function<bool(Dwarf_Die)>& is_library);

}  // namespace ravel
