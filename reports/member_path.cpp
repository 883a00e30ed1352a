// SPDX-License-Identifier: Apache-2.0
#include "reports/member_path.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace ravel {
namespace {

std::optional<std::uint64_t> attribute_value(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value) != 0) return std::nullopt;
  return value;
}

// Without typedefs and qualifiers; nullopt for void.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  Dwarf_Die peeled;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr) return std::nullopt;
  if (dwarf_peel_type(&type, &peeled) != 0) return std::nullopt;
  return peeled;
}

std::uint64_t size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

ValueKind kind_of(Dwarf_Die type) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      return ValueKind::pointer;
    case DW_TAG_enumeration_type:
      return ValueKind::signed_integer;
    case DW_TAG_base_type:
      break;
    default:
      return ValueKind::unknown;
  }
  switch (attribute_value(&type, DW_AT_encoding).value_or(0)) {
    case DW_ATE_boolean:
      return ValueKind::boolean;
    case DW_ATE_float:
      return ValueKind::floating;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      return ValueKind::signed_integer;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
      return ValueKind::unsigned_integer;
    default:
      return ValueKind::unknown;
  }
}

// A bit-field: its first bit counted from the start of the structure. Compilers before DWARF 5 count from the other end
// of the storage unit.
std::optional<std::uint64_t> first_bit(Dwarf_Die* member, std::uint64_t location, std::uint64_t bits) {
  if (const auto direct = attribute_value(member, DW_AT_data_bit_offset)) return *direct;
  const auto from_top = attribute_value(member, DW_AT_bit_offset);
  if (!from_top) return std::nullopt;
  std::uint64_t unit = attribute_value(member, DW_AT_byte_size).value_or(0);
  if (unit == 0) {
    const auto type = type_of(member);
    unit = type ? size_of(*type) : 0;
  }
  if (unit * 8 < *from_top + bits) return std::nullopt;
  return location * 8 + unit * 8 - *from_top - bits;
}

struct Part {
  std::string text;  // ".name", or "" for a base class and for an unnamed structure
  std::uint64_t offset = 0;
  Dwarf_Die type{};
  bool is_leaf = false;
};

// The member of a structure that holds the bytes.
std::optional<Part> member_at(Dwarf_Die structure, std::uint64_t offset, std::uint64_t size, bool library) {
  std::string bit_fields;
  std::size_t bit_field_count = 0;
  Dwarf_Die child;
  if (dwarf_child(&structure, &child) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    const auto type = type_of(&child);
    if (!type) continue;
    const char* raw = dwarf_diename(&child);
    const std::string name = raw == nullptr ? "" : raw;
    const auto location = attribute_value(&child, DW_AT_data_member_location);
    if (const auto bits = attribute_value(&child, DW_AT_bit_size); bits && tag == DW_TAG_member) {
      const auto first = first_bit(&child, location.value_or(0), *bits);
      if (!first || *first >= (offset + size) * 8 || *first + *bits <= offset * 8) continue;
      bit_fields += (bit_field_count++ == 0 ? "" : ", ") + name;
      continue;
    }
    if (!location) continue;  // static members and virtual bases
    if (offset < *location || offset + size > *location + size_of(*type)) continue;
    // A library's member names mean nothing to the user; a std::array is its elements.
    const bool elements = library && name == "_M_elems";
    if (library && name.starts_with('_') && !elements) return std::nullopt;
    return Part{name.empty() || elements || tag == DW_TAG_inheritance ? "" : "." + name, *location, *type, false};
  } while (dwarf_siblingof(&child, &child) == 0);
  if (bit_field_count == 0) return std::nullopt;
  Part part;
  part.text = bit_field_count == 1 ? "." + bit_fields : ".{" + bit_fields + "}";
  part.offset = offset;
  part.is_leaf = true;
  return part;
}

// The element of an array that holds the bytes; one index per dimension.
std::optional<Part> element_at(Dwarf_Die array, std::uint64_t offset, std::uint64_t size) {
  const auto element = type_of(&array);
  const std::uint64_t step = element ? size_of(*element) : 0;
  if (step == 0 || offset % step + size > step) return std::nullopt;
  std::vector<std::uint64_t> lengths;
  Dwarf_Die child;
  if (dwarf_child(&array, &child) != 0) return std::nullopt;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    auto count = attribute_value(&child, DW_AT_count);
    if (const auto last = attribute_value(&child, DW_AT_upper_bound); !count && last) count = *last + 1;
    lengths.push_back(count.value_or(0));
  } while (dwarf_siblingof(&child, &child) == 0);
  std::uint64_t index = offset / step;
  std::string text;
  for (std::size_t i = lengths.size(); i-- > 1;) {
    if (lengths[i] == 0) return std::nullopt;
    text.insert(0, "[" + std::to_string(index % lengths[i]) + "]");
    index /= lengths[i];
  }
  return Part{"[" + std::to_string(index) + "]" + text, offset - offset % step, *element, false};
}

}  // namespace

MemberPath member_path(Dwarf_Die type, std::uint64_t offset, std::uint64_t size,
                       const std::function<bool(Dwarf_Die)>& is_library) {
  size = std::max<std::uint64_t>(size, 1);
  MemberPath path;
  path.rest = offset;
  constexpr int kDeepest = 64;  // damaged debug information may go in circles
  for (int depth = 0; depth < kDeepest; ++depth) {
    Dwarf_Die peeled;
    if (dwarf_peel_type(&type, &peeled) != 0) break;
    std::optional<Part> part;
    switch (dwarf_tag(&peeled)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
        part = member_at(peeled, path.rest, size, is_library(peeled));
        break;
      case DW_TAG_array_type:
        part = element_at(peeled, path.rest, size);
        break;
      default:  // a union is a leaf: it is not known which of its members is meant
        if (path.rest == 0 && size <= size_of(peeled)) path.kind = kind_of(peeled);
        return path;
    }
    if (!part) break;
    path.text += part->text;
    path.rest -= part->offset;
    if (part->is_leaf) break;
    type = part->type;
  }
  return path;
}

}  // namespace ravel
