// SPDX-License-Identifier: Apache-2.0
#include "reports/frame_locations.h"

#include <dwarf.h>

namespace ravel {
namespace {

// rbp and rsp, as DWARF numbers the registers of x86-64.
constexpr std::uint8_t kFramePointer = 6;
constexpr std::uint8_t kStackPointer = 7;

}  // namespace

FrameLocations::FrameLocations(const StackFrame& frame, Dwarf_Die function) : frame_(frame) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) != nullptr) base_ = value(&attribute, true);
}

std::optional<std::uint64_t> FrameLocations::address_of(Dwarf_Die* variable) const {
  Dwarf_Attribute attribute;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr) return std::nullopt;
  return value(&attribute, false);
}

std::optional<std::uint64_t> FrameLocations::value(Dwarf_Attribute* attribute, bool is_frame_base) const {
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation_addr(attribute, frame_.pc - 1, &operations, &count, 1) != 1 || count == 0) {
    return std::nullopt;
  }
  std::optional<std::uint64_t> result;
  switch (operations[0].atom) {
    case DW_OP_fbreg:
      if (base_) result = *base_ + operations[0].number;
      break;
    case DW_OP_call_frame_cfa:
      result = frame_.end;
      break;
    case DW_OP_breg0 + kFramePointer:
      result = frame_.frame_pointer + operations[0].number;
      break;
    case DW_OP_breg0 + kStackPointer:
      result = frame_.stack_pointer + operations[0].number;
      break;
    case DW_OP_reg0 + kFramePointer:
      if (is_frame_base) result = frame_.frame_pointer;
      break;
    case DW_OP_reg0 + kStackPointer:
      if (is_frame_base) result = frame_.stack_pointer;
      break;
    default:
      break;
  }
  for (std::size_t i = 1; i < count && result; ++i) {
    if (operations[i].atom == DW_OP_plus_uconst) {
      *result += operations[i].number;
    } else {
      result.reset();  // in pieces, computed, or to be read from memory
    }
  }
  return result;
}

std::optional<LocalVariable> local_at(Dwarf_Die scope, const std::optional<Dwarf_Die>& inlined,
                                      const FrameLocations& places, std::uint64_t pc, std::uint64_t address,
                                      int depth) {
  constexpr int kDeepest = 256;  // damaged debug information may go in circles
  Dwarf_Die child;
  if (depth > kDeepest || dwarf_child(&scope, &child) != 0) return std::nullopt;
  std::optional<LocalVariable> found;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
      case DW_TAG_formal_parameter: {
        const auto start = found ? std::nullopt : places.address_of(&child);
        Dwarf_Attribute attribute;
        Dwarf_Die type;
        Dwarf_Word size = 0;
        if (!start || address < *start || dwarf_diename(&child) == nullptr) break;
        if (dwarf_formref_die(dwarf_attr_integrate(&child, DW_AT_type, &attribute), &type) == nullptr) break;
        if (dwarf_aggregate_size(&type, &size) != 0 || address - *start >= size) break;
        found = LocalVariable{child, inlined, *start, size};
        break;
      }
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine:
      case DW_TAG_try_block:
      case DW_TAG_catch_block: {
        const bool has_range = dwarf_hasattr(&child, DW_AT_low_pc) != 0 || dwarf_hasattr(&child, DW_AT_ranges) != 0;
        if (has_range && dwarf_haspc(&child, pc - 1) <= 0) break;
        const bool is_call = dwarf_tag(&child) == DW_TAG_inlined_subroutine;
        const auto inside = local_at(child, is_call ? std::optional(child) : inlined, places, pc, address, depth + 1);
        if (inside) return inside;
        break;
      }
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return found;
}

}  // namespace ravel
