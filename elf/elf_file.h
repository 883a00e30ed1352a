// SPDX-License-Identifier: Apache-2.0
// ElfFile: what an ELF file holds, as plain values; their constants are those of <elf.h>. Nothing else reads ELF files.
//
// Who calls it: the symboliser, which hands the file on to libdw; the inspection of programs and their libraries;
// noise, for calls that synchronise; tests. Thread safety: none for one object; objects are independent.
//
// Invariants:
//  1. A file that cannot be read, is damaged or is not an ELF file has fewer contents, maybe none. It is never an
//  error.
//  2. Names and bytes point into the file: they live as long as the ElfFile, or the one it is moved to.
#pragma once

#include <elf.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct Elf;  // of libelf

namespace ravel {

using FileBytes = std::span<const unsigned char>;

struct ElfSegment {
  std::uint32_t type = 0;  // PT_...
  std::uint64_t address = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t alignment = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t file_size = 0;
};

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;  // SHT_...
  bool executable = false;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  FileBytes bytes;  // empty when the file has none for it
};

struct ElfSymbol {
  std::string_view name;
  bool defined = false;     // here; else it is wanted from elsewhere
  int type = 0;             // STT_...
  int binding = 0;          // STB_...
  std::uint64_t value = 0;  // its address; of a thread-local variable, its place in the block
  std::uint64_t size = 0;
  std::uint32_t section = 0;  // where it is defined: an index of sections(), or beyond them

  // Wanted from elsewhere, and the program does not start without it. A weak reference only asks whether it is there.
  bool needed() const { return !defined && binding != STB_WEAK; }
};

// A place that the loader fills.
struct ElfRelocation {
  std::uint64_t address = 0;
  std::uint32_t type = 0;   // R_X86_64_...
  std::string_view symbol;  // what is put there
};

class ElfFile {
 public:
  ElfFile() = default;  // no file
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(ElfFile&& other) noexcept { *this = std::move(other); }
  ElfFile& operator=(ElfFile&& other) noexcept;

  bool is_elf() const { return elf_ != nullptr; }
  Elf* get() const { return elf_; }  // for libdw; nullptr: it is not an ELF file

  int machine() const { return machine_; }  // EM_...; EM_NONE when the header cannot be read
  int type() const { return type_; }        // ET_...
  bool is_32_bit() const { return is_32_bit_; }

  const std::vector<ElfSegment>& segments() const { return segments_; }
  const ElfSegment* segment(std::uint32_t type) const;  // the first of this type, or nullptr
  // By their number: the first one is the empty one that every file has.
  const std::vector<ElfSection>& sections() const { return sections_; }
  bool has_section(std::string_view name) const;

  // Those with a name, in the order of the file. `table`: SHT_SYMTAB, which stripped files lack, or SHT_DYNSYM.
  std::vector<ElfSymbol> symbols(std::uint32_t table) const&;
  std::vector<ElfSymbol> symbols(std::uint32_t table) && = delete;  // their names would be gone
  std::vector<ElfRelocation> relocations() const&;
  std::vector<ElfRelocation> relocations() && = delete;
  // What the dynamic section says under this tag: DT_NEEDED, DT_SONAME.
  std::vector<std::string> dynamic_strings(std::int64_t tag) const;

  // The loader that a program asks for; empty for libraries and statically linked programs.
  std::string interpreter() const;
  // In hexadecimal; empty when it has none.
  std::string build_id() const;
  // What is at an address when the file is loaded; empty unless the file has that many bytes from there on.
  FileBytes loaded_bytes(std::uint64_t address, std::uint64_t size) const;

 private:
  FileBytes file_bytes(std::uint64_t offset, std::uint64_t size) const;
  void read_segments();
  void read_sections();

  int fd_ = -1;
  Elf* elf_ = nullptr;
  int machine_ = 0;
  int type_ = 0;
  bool is_32_bit_ = false;
  std::vector<ElfSegment> segments_;
  std::vector<ElfSection> sections_;
};

// Empty when the file has none or cannot be read.
std::string build_id_of(const std::string& path);

}  // namespace ravel
