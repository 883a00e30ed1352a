// SPDX-License-Identifier: Apache-2.0
// CompileCommands: how each source of a program is compiled, from a compile_commands.json (Clang's format, which CMake,
// Ninja, Meson and Bear write) or from a build that Ravel watched.
//
// Who calls it: weaving, `ravel analyze`, `ravel pin`. Thread safety: none needed; values.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ravel {

struct CompileCommand {
  std::filesystem::path directory;     // where it runs
  std::filesystem::path file;          // absolute, without . and ..
  std::vector<std::string> arguments;  // the compiler first

  friend bool operator==(const CompileCommand&, const CompileCommand&) = default;
};

class CompileCommands {
 public:
  // With a target, only what that target of a CMake build compiles: its objects lie in CMakeFiles/TARGET.dir.
  static Result<CompileCommands> read(const std::filesystem::path& path, const std::string& target = "");
  explicit CompileCommands(std::vector<CompileCommand> commands) : commands_(std::move(commands)) {}

  const std::vector<CompileCommand>& all() const { return commands_; }

  // The sources whose path ends with these whole names ("list.cpp", "src/list.cpp"), one command of each.
  std::vector<const CompileCommand*> ending_with(std::string_view path) const;

  // In the format of the file.
  std::string json() const;

 private:
  std::vector<CompileCommand> commands_;
};

// Words of a command line as sh would split it: quotes and backslashes, no expansions.
std::vector<std::string> split_command(std::string_view text);

// Does `path` end with the whole names of `end`?
bool ends_with_names(const std::filesystem::path& path, std::string_view end);

}  // namespace ravel
