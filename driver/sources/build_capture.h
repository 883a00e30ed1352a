// SPDX-License-Identifier: Apache-2.0
// capture_build(): learns how the sources of a program are compiled by watching a build, for when there is no
// compile_commands.json. The build finds the compilers by name in a directory of ours that comes first in PATH; each of
// them is `ravel` itself, which records its command line and becomes the real compiler.
//
// A build that calls compilers by their full path is not seen. CMake does that, but writes the file itself if asked.
// Who calls it: `ravel weave --capture`. Thread safety: none; one build at a time.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// The names that compilers are called by.
const std::vector<std::string>& compiler_names();

// Runs the build with its output unchanged, and returns what was compiled. An error when the build fails or no
// compilation was seen. `ravel`: this program's own file.
Result<CompileCommands> capture_build(const std::vector<std::string>& build, const std::string& ravel);

// In a process of such a build: was this program called under a compiler's name?
bool is_captured_compiler(int argc, char** argv);
// Records the command line and becomes the real compiler. Returns only if there is none: the exit code.
int become_compiler(int argc, char** argv);

}  // namespace ravel
