// SPDX-License-Identifier: Apache-2.0
// The sources that a command line names, and how each is compiled.
// Who calls it: `ravel analyze`. Thread safety: no state.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// With the file `compile_commands`: these files as listed there, or all of them when none is named. Without it: files
// are compiled as c++ or cc would with `options`; when none is named, ./compile_commands.json is used.
Result<std::vector<CompileCommand>> find_named_sources(const std::string& compile_commands,
                                                       const std::vector<std::string>& files,
                                                       const std::vector<std::string>& options);

}  // namespace ravel
