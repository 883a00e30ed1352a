// SPDX-License-Identifier: Apache-2.0
// ELF files and where their debug information is. Used by module_symbols alone. Not thread-safe, like libelf.
#pragma once

#include <libelf.h>

#include <string>
#include <utility>

namespace ravel {

// An open ELF file; get() is nullptr when it could not be opened or is none.
class ElfFile {
 public:
  ElfFile() = default;
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(ElfFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), elf_(std::exchange(other.elf_, nullptr)) {}
  ElfFile& operator=(ElfFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(elf_, other.elf_);
    return *this;
  }

  Elf* get() const { return elf_; }

  // In hexadecimal; empty when it has none.
  std::string build_id() const;

 private:
  int fd_ = -1;
  Elf* elf_ = nullptr;
};

// Where distributions put debug information that was split off: by build id, then by the name in .gnu_debuglink. Empty:
// nowhere.
std::string separate_debug_file(const ElfFile& file, const std::string& path);

}  // namespace ravel
