// SPDX-License-Identifier: Apache-2.0
// Reads just what the ground-rule tests ask of our own 64-bit little-endian object files and libraries.
#pragma once

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace ravel::testing {

class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : bytes_(read_file(path)) {
    if (bytes_.size() < sizeof(Elf64_Ehdr) || bytes_.compare(0, SELFMAG, ELFMAG) != 0) return;
    header_ = read<Elf64_Ehdr>(0);
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      sections_.push_back(read<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)));
    }
  }

  bool valid() const { return !sections_.empty(); }

  // Bytes in sections of this kind: .init_array and .init_array.<priority> together.
  std::size_t section_bytes(const std::string& prefix) const {
    std::size_t bytes = 0;
    for (const Elf64_Shdr& section : sections_) {
      const std::string name = text(sections_[header_.e_shstrndx].sh_offset + section.sh_name);
      if (section.sh_type != SHT_RELA && (name == prefix || name.starts_with(prefix + "."))) bytes += section.sh_size;
    }
    return bytes;
  }

  std::set<std::string> undefined_symbols() const {
    return symbols(SHT_SYMTAB, [](const Elf64_Sym& symbol) { return symbol.st_shndx == SHN_UNDEF; });
  }

  std::set<std::string> exported_symbols() const {
    return symbols(SHT_DYNSYM, [](const Elf64_Sym& symbol) {
      return symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
    });
  }

  std::set<std::string> imported_symbols() const {
    return symbols(SHT_DYNSYM, [](const Elf64_Sym& symbol) { return symbol.st_shndx == SHN_UNDEF; });
  }

  // DT_NEEDED or DT_SONAME strings.
  std::vector<std::string> dynamic_strings(Elf64_Sxword tag) const {
    std::vector<std::string> found;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNAMIC) continue;
      for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= section.sh_size; at += sizeof(Elf64_Dyn)) {
        const auto entry = read<Elf64_Dyn>(section.sh_offset + at);
        if (entry.d_tag == tag) found.push_back(text(sections_[section.sh_link].sh_offset + entry.d_un.d_val));
      }
    }
    return found;
  }

 private:
  template <typename T>
  T read(std::size_t offset) const {
    T value{};
    if (offset + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  std::string text(std::size_t offset) const { return offset < bytes_.size() ? bytes_.c_str() + offset : ""; }

  template <typename Predicate>
  std::set<std::string> symbols(Elf64_Word table, Predicate wanted) const {
    std::set<std::string> names;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != table) continue;
      for (std::size_t at = sizeof(Elf64_Sym); at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = read<Elf64_Sym>(section.sh_offset + at);
        if (wanted(symbol)) names.insert(text(sections_[section.sh_link].sh_offset + symbol.st_name));
      }
    }
    return names;
  }

  std::string bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace ravel::testing
