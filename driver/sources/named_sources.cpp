// SPDX-License-Identifier: Apache-2.0
#include "driver/sources/named_sources.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace ravel {

namespace fs = std::filesystem;

Result<std::vector<CompileCommand>> find_named_sources(const std::string& compile_commands,
                                                       const std::vector<std::string>& files,
                                                       const std::vector<std::string>& options) {
  std::vector<CompileCommand> sources;
  if (compile_commands.empty() && !files.empty()) {
    const fs::path here = fs::current_path();
    for (const std::string& file : files) {
      if (!fs::is_regular_file(file)) {
        return Status::trouble(fmt::format("there is no file {}", file), "name the sources of one program");
      }
      CompileCommand command;
      command.directory = here;
      command.file = (here / file).lexically_normal();
      command.arguments = {command.file.extension() == ".c" ? "cc" : "c++"};
      command.arguments.insert(command.arguments.end(), options.begin(), options.end());
      command.arguments.insert(command.arguments.end(), {"-c", command.file.string()});
      sources.push_back(std::move(command));
    }
    return sources;
  }
  if (!options.empty()) {
    return Status::trouble(
        fmt::format("'{}' comes after --, which is for options of files without compile commands", options[0]),
        "leave it out, or --compile-commands");
  }
  const std::string path = compile_commands.empty() ? "compile_commands.json" : compile_commands;
  const auto commands = CompileCommands::read(path);
  if (!commands.is_ok()) return commands.status();
  if (files.empty()) {
    for (const CompileCommand& command : commands.value().all()) {
      const bool known = std::any_of(sources.begin(), sources.end(),
                                     [&](const CompileCommand& other) { return other.file == command.file; });
      if (!known) sources.push_back(command);
    }
    if (sources.empty()) return Status::trouble(fmt::format("{} lists no source", path), "name another one");
    return sources;
  }
  for (const std::string& file : files) {
    std::error_code error;
    const fs::path whole = fs::absolute(file, error).lexically_normal();
    auto found = commands.value().ending_with(whole.string());
    if (found.empty()) found = commands.value().ending_with(file);
    if (found.size() != 1) {
      return Status::trouble(fmt::format("{} has {} sources {}", path, found.empty() ? "no" : "several", file),
                             "name a source of the list, with enough of its path to tell it apart");
    }
    sources.push_back(*found[0]);
  }
  return sources;
}

}  // namespace ravel
