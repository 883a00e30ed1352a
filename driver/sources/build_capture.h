// SPDX-License-Identifier: Apache-2.0
// BuildCapture: learns how the sources of a program are compiled by watching a build, where there is no
// compile_commands.json. The build finds compilers by name in a directory of Ravel's that comes first in PATH; each of
// them is `ravel` itself, which notes its command line and becomes the real compiler.
//
// A build that calls compilers by their full path is not seen; CMake does that, and writes the file itself when asked.
// Who calls it: `ravel weave --capture`. Thread safety: none; one build at a time.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// Names under which compilers are called.
const std::vector<std::string>& compiler_names();

// Runs the build, with its output where it goes, and tells what was compiled. Trouble when it fails, or compiles
// nothing that was seen. `ravel`: this program's own file.
Result<CompileCommands> capture_build(const std::vector<std::string>& build, const std::string& ravel);

// In a process of such a build: was this program called under a compiler's name?
bool is_captured_compiler(int argc, char** argv);
// Notes the command line and becomes the real compiler. Returns only when there is none: the exit code.
int become_compiler(int argc, char** argv);

}  // namespace ravel
