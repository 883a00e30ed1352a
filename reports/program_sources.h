// SPDX-License-Identifier: Apache-2.0
// The sources that a program is made of, as its debug information tells. Used by `ravel pin`. No state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "elf/elf_file.h"

namespace ravel {

struct ProgramSource {
  std::filesystem::path file;
  std::filesystem::path directory;
  std::string producer;  // "GNU C++17 12.2.0 -g -O1": compiler and options
};

// One for each compilation unit; none when there is no debug information.
std::vector<ProgramSource> program_sources(const ElfFile& program);

}  // namespace ravel
