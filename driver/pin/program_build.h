// SPDX-License-Identifier: Apache-2.0
// ProgramBuild: which sources make a program, how they are compiled, and the program once more from other sources. The
// debug information of the program tells its sources; compile_commands.json, or what the compiler noted in the debug
// information, tells how they are compiled.
//
// Who calls it: Pinning, to try race tests on a woven copy. Nothing outside the given directory is written.
// Thread safety: none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/sources/compile_commands.h"
#include "reports/program_sources.h"

namespace ravel {

// Of the user's own. Trouble when there is no debug information.
Result<std::vector<ProgramSource>> sources_of(const std::string& program);

// The commands that made the program's sources. `known`: from compile_commands.json; nullptr: there is none, and the
// compiler's own notes have to do.
Result<CompileCommands> commands_of(const std::vector<ProgramSource>& sources, const CompileCommands* known);

struct BuildOptions {
  std::string program;            // what is built again: which libraries it needs
  std::filesystem::path out;      // directory for objects and the new program
  std::vector<std::string> link;  // more words for linking
  std::string sync_library;       // libravel_sync.a
  std::string ravel;              // this program
};

// Compiles each command, and links. The path of the new program.
Result<std::string> build_program(const std::vector<CompileCommand>& commands, const BuildOptions& options);

// The words of a command that compile one source into `object`: without linking, dependency files and other sources.
std::vector<std::string> compile_words(const CompileCommand& command, const std::string& object);

}  // namespace ravel
