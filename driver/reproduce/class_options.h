// SPDX-License-Identifier: Apache-2.0
// What the user says about a class: how it is compiled, and values for its parameters. Thread safety: no state; reads
// files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/reproduce/harness_build.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// Fills in compiler, options and directory. `typed`: the options after --, which replace all others. Otherwise the
// command of one of the sources, or of a source in the header's folder; otherwise what the compiler noted in `binary`;
// otherwise the default: C++20.
Status find_class_options(const std::vector<std::string>& typed, const CompileCommands* known,
                          const std::string& binary, BuildPlan& plan);

// Lines "TYPE = EXPRESSION"; "#" begins a comment.
Result<std::map<std::string, std::vector<std::string>>> read_values(const std::string& path);

}  // namespace ravel
