// SPDX-License-Identifier: Apache-2.0
#include "reports/program_sources.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <utility>

namespace ravel {
namespace {

std::string text_attribute(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  const char* const text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
  return text == nullptr ? std::string() : text;
}

}  // namespace

std::vector<ProgramSource> program_sources(const ElfFile& program) {
  std::vector<ProgramSource> sources;
  Dwarf* const dwarf = dwarf_begin_elf(program.get(), DWARF_C_READ, nullptr);
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  std::uint8_t kind = 0;
  while (dwarf != nullptr && dwarf_get_units(dwarf, unit, &unit, nullptr, &kind, &die, nullptr) == 0) {
    if (dwarf_tag(&die) != DW_TAG_compile_unit) continue;
    ProgramSource source;
    source.directory = text_attribute(&die, DW_AT_comp_dir);
    source.file = (source.directory / text_attribute(&die, DW_AT_name)).lexically_normal();
    source.producer = text_attribute(&die, DW_AT_producer);
    sources.push_back(std::move(source));
  }
  if (dwarf != nullptr) dwarf_end(dwarf);
  return sources;
}

}  // namespace ravel
