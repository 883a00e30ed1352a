// SPDX-License-Identifier: Apache-2.0
#include "reports/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

namespace ravel {
namespace fs = std::filesystem;
namespace {

// The checksum of .gnu_debuglink.
std::optional<std::uint32_t> file_checksum(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320U ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  std::uint32_t sum = 0xffffffffU;
  std::array<char, 65536> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      sum = table[(sum ^ static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)])) & 0xff] ^ (sum >> 8);
    }
  }
  return ~sum;
}

}  // namespace

ElfFile::ElfFile(const std::string& path) {
  elf_version(EV_CURRENT);
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) return;
  elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  if (elf_ != nullptr && elf_kind(elf_) != ELF_K_ELF) {
    elf_end(elf_);
    elf_ = nullptr;
  }
}

ElfFile::~ElfFile() {
  if (elf_ != nullptr) elf_end(elf_);
  if (fd_ >= 0) ::close(fd_);
}

std::string ElfFile::build_id() const {
  const void* bytes = nullptr;
  const ssize_t length = elf_ == nullptr ? -1 : dwelf_elf_gnu_build_id(elf_, &bytes);
  std::string text;
  for (ssize_t i = 0; i < length; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    const unsigned char byte = static_cast<const unsigned char*>(bytes)[i];
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string separate_debug_file(const ElfFile& file, const std::string& path) {
  const std::string id = file.build_id();
  std::error_code ignored;
  if (id.size() > 2) {
    const std::string by_id = "/usr/lib/debug/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
    if (fs::exists(by_id, ignored)) return by_id;
  }
  GElf_Word checksum = 0;
  const char* link = dwelf_elf_gnu_debuglink(file.get(), &checksum);
  if (link == nullptr) return {};
  const fs::path folder = fs::weakly_canonical(path, ignored).parent_path();
  for (const fs::path& candidate :
       {folder / link, folder / ".debug" / link, fs::path("/usr/lib/debug" + folder.string()) / link}) {
    if (fs::equivalent(candidate, path, ignored) || !fs::is_regular_file(candidate, ignored)) continue;
    const bool same_id = !id.empty() && ElfFile(candidate.string()).build_id() == id;
    if (same_id || file_checksum(candidate.string()) == checksum) return candidate.string();
  }
  return {};
}

}  // namespace ravel
