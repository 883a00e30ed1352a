// SPDX-License-Identifier: Apache-2.0
// build_program(): which sources a program is made of, how they are compiled, and building it again from other sources.
// The program's debug information lists its sources; compile_commands.json, or what the compiler noted in the debug
// information, says how they are compiled. Clang notes nothing unless asked to; its options are guessed then.
//
// Who calls it: pin(), to try race tests on a woven copy. Nothing outside the given directory is written. Thread
// safety: none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/sources/compile_commands.h"
#include "reports/program_sources.h"

namespace ravel {

// The user's own sources. An error when there is no debug information.
Result<std::vector<ProgramSource>> sources_of(const std::string& program);

// What to do when a source does not compile.
inline constexpr const char* kCommandsAdvice =
    "give the commands of its build: --compile-commands FILE; ravel weave --capture FILE -- BUILD COMMAND writes them";

// The commands that compiled the program's sources. `known`: from compile_commands.json; nullptr: there is none, and
// the compiler's own notes are used. `instrumented`: the program is.
Result<CompileCommands> commands_of(const std::vector<ProgramSource>& sources, const CompileCommands* known,
                                    bool instrumented);

struct BuildOptions {
  std::string program;            // the program to build again: says which libraries it needs
  std::filesystem::path out;      // directory for objects and the new program
  std::vector<std::string> link;  // more words for linking
  std::string sync_library;       // libravel_sync.a
  std::string ravel;              // this program
  Deadline deadline;
};

// Compiles each command, and links. Returns the path of the new program.
Result<std::string> build_program(const std::vector<CompileCommand>& commands, const BuildOptions& options);

// The words of a command that compile one source into `object`: without linking, dependency files and other sources.
std::vector<std::string> compile_words(const CompileCommand& command, const std::string& object);

}  // namespace ravel
