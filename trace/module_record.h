// SPDX-License-Identifier: Apache-2.0
// ModuleRecord: where a file of code is loaded in the target. Written by the target in the loader's order, the program
// itself first. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

struct ModuleRecord {
  std::uint64_t start = 0;  // mapped range of the module's segments
  std::uint64_t end = 0;
  std::uint64_t bias = 0;  // load address minus link address
  char path[232] = {};     // empty for the program itself
};

}  // namespace ravel
