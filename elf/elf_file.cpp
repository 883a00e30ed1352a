// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>

namespace ravel {
namespace {

std::string_view view(const char* text) { return text == nullptr ? std::string_view() : text; }

// A section that is a table, as libelf reads it. Calls visit(data, index) for each entry.
template <typename Visit>
void for_each_entry(Elf_Scn* section, const GElf_Shdr& header, Visit visit) {
  Elf_Data* const data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < data->d_size / header.sh_entsize; ++i) visit(data, static_cast<int>(i));
}

// Calls visit(section, header) for each section of this type.
template <typename Visit>
void for_each_section(Elf* elf, std::uint32_t type, Visit visit) {
  for (Elf_Scn* section = nullptr; elf != nullptr && (section = ::elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (::gelf_getshdr(section, &header) != nullptr && header.sh_type == type) visit(section, header);
  }
}

}  // namespace

ElfFile::ElfFile(const std::string& path) {
  ::elf_version(EV_CURRENT);
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) return;
  elf_ = ::elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  if (elf_ != nullptr && ::elf_kind(elf_) != ELF_K_ELF) {
    ::elf_end(elf_);
    elf_ = nullptr;
  }
  GElf_Ehdr header;
  if (elf_ == nullptr || ::gelf_getehdr(elf_, &header) == nullptr) return;
  machine_ = header.e_machine;
  type_ = header.e_type;
  is_32_bit_ = ::gelf_getclass(elf_) == ELFCLASS32;
  read_segments();
  read_sections();
}

ElfFile::~ElfFile() {
  if (elf_ != nullptr) ::elf_end(elf_);
  if (fd_ >= 0) ::close(fd_);
}

ElfFile& ElfFile::operator=(ElfFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(elf_, other.elf_);
  std::swap(machine_, other.machine_);
  std::swap(type_, other.type_);
  std::swap(is_32_bit_, other.is_32_bit_);
  std::swap(segments_, other.segments_);
  std::swap(sections_, other.sections_);
  return *this;
}

void ElfFile::read_segments() {
  std::size_t count = 0;
  if (::elf_getphdrnum(elf_, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (::gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr) return;
    segments_.push_back(
        {header.p_type, header.p_vaddr, header.p_memsz, header.p_align, header.p_offset, header.p_filesz});
  }
}

void ElfFile::read_sections() {
  std::size_t count = 0;
  std::size_t names = 0;
  if (::elf_getshdrnum(elf_, &count) != 0) return;
  if (::elf_getshdrstrndx(elf_, &names) != 0) names = SHN_UNDEF;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Shdr header;
    if (::gelf_getshdr(::elf_getscn(elf_, i), &header) == nullptr) return;
    const bool has_bytes = header.sh_type != SHT_NULL && header.sh_type != SHT_NOBITS;
    sections_.push_back({view(::elf_strptr(elf_, names, header.sh_name)), header.sh_type,
                         (header.sh_flags & SHF_EXECINSTR) != 0, header.sh_addr, header.sh_size,
                         has_bytes ? file_bytes(header.sh_offset, header.sh_size) : FileBytes()});
  }
}

const ElfSegment* ElfFile::segment(std::uint32_t type) const {
  const auto found = std::find_if(segments_.begin(), segments_.end(),
                                  [type](const ElfSegment& segment) { return segment.type == type; });
  return found == segments_.end() ? nullptr : &*found;
}

bool ElfFile::has_section(std::string_view name) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [name](const ElfSection& section) { return section.name == name; });
}

std::vector<ElfSymbol> ElfFile::symbols(std::uint32_t table) const& {
  std::vector<ElfSymbol> found;
  for_each_section(elf_, table, [&](Elf_Scn* section, const GElf_Shdr& header) {
    for_each_entry(section, header, [&](Elf_Data* data, int index) {
      GElf_Sym symbol;
      if (::gelf_getsym(data, index, &symbol) == nullptr) return;
      const std::string_view name = view(::elf_strptr(elf_, header.sh_link, symbol.st_name));
      if (name.empty()) return;
      found.push_back({name, symbol.st_shndx != SHN_UNDEF, GELF_ST_TYPE(symbol.st_info), GELF_ST_BIND(symbol.st_info),
                       symbol.st_value, symbol.st_size, symbol.st_shndx});
    });
  });
  return found;
}

std::vector<ElfRelocation> ElfFile::relocations() const& {
  std::vector<ElfRelocation> found;
  for_each_section(elf_, SHT_RELA, [&](Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Scn* const table = ::elf_getscn(elf_, header.sh_link);
    GElf_Shdr table_header;
    if (table == nullptr || ::gelf_getshdr(table, &table_header) == nullptr) return;
    Elf_Data* const symbols = ::elf_getdata(table, nullptr);
    for_each_entry(section, header, [&](Elf_Data* data, int index) {
      GElf_Rela entry;
      GElf_Sym symbol;
      if (::gelf_getrela(data, index, &entry) == nullptr) return;
      if (::gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr) return;
      found.push_back({entry.r_offset, static_cast<std::uint32_t>(GELF_R_TYPE(entry.r_info)),
                       view(::elf_strptr(elf_, table_header.sh_link, symbol.st_name))});
    });
  });
  return found;
}

std::vector<std::string> ElfFile::dynamic_strings(std::int64_t tag) const {
  std::vector<std::string> found;
  for_each_section(elf_, SHT_DYNAMIC, [&](Elf_Scn* section, const GElf_Shdr& header) {
    for_each_entry(section, header, [&](Elf_Data* data, int index) {
      GElf_Dyn entry;
      if (::gelf_getdyn(data, index, &entry) == nullptr || entry.d_tag != tag) return;
      const char* const text = ::elf_strptr(elf_, header.sh_link, entry.d_un.d_val);
      if (text != nullptr) found.emplace_back(text);
    });
  });
  return found;
}

std::string ElfFile::interpreter() const {
  const ElfSegment* const named = segment(PT_INTERP);
  if (named == nullptr) return {};
  const FileBytes bytes = file_bytes(named->file_offset, named->file_size);
  return {bytes.begin(), std::find(bytes.begin(), bytes.end(), 0)};
}

std::string ElfFile::build_id() const {
  const void* bytes = nullptr;
  const ssize_t length = elf_ == nullptr ? -1 : ::dwelf_elf_gnu_build_id(elf_, &bytes);
  std::string text;
  for (ssize_t i = 0; i < length; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    const unsigned char byte = static_cast<const unsigned char*>(bytes)[i];
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

FileBytes ElfFile::loaded_bytes(std::uint64_t address, std::uint64_t size) const {
  for (const ElfSegment& segment : segments_) {
    if (segment.type != PT_LOAD || address < segment.address) continue;
    const std::uint64_t at = address - segment.address;
    if (at > segment.file_size || size > segment.file_size - at) continue;
    return file_bytes(segment.file_offset + at, size);
  }
  return {};
}

FileBytes ElfFile::file_bytes(std::uint64_t offset, std::uint64_t size) const {
  std::size_t all = 0;
  const char* const bytes = ::elf_rawfile(elf_, &all);
  if (bytes == nullptr || offset > all || size > all - offset) return {};
  return {reinterpret_cast<const unsigned char*>(bytes) + offset, size};
}

std::string build_id_of(const std::string& path) { return ElfFile(path).build_id(); }

}  // namespace ravel
