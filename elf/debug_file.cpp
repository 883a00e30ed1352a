// SPDX-License-Identifier: Apache-2.0
#include "elf/debug_file.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>

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
