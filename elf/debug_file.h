// SPDX-License-Identifier: Apache-2.0
// Where the debug information of a file is that was split off, as distributions do. Used by the symboliser. No state.
#pragma once

#include <string>

#include "elf/elf_file.h"

namespace ravel {

// Looked for by build id, then by the name in .gnu_debuglink. Empty: nowhere. `path`: of the file itself.
std::string separate_debug_file(const ElfFile& file, const std::string& path);

}  // namespace ravel
