// SPDX-License-Identifier: Apache-2.0
#include "driver/sources/compile_commands.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

Status damaged(const std::filesystem::path& path, const std::string& what) {
  return Status::trouble(fmt::format("{} is not a list of compile commands: {}", path.string(), what),
                         "let CMake write it (-DCMAKE_EXPORT_COMPILE_COMMANDS=ON), or watch a build: "
                         "ravel weave --capture FILE -- make");
}

// False when the entry is not a valid one.
bool read_entry(const Json& entry, CompileCommand& command) {
  if (!entry.is_object()) return false;
  const auto directory = entry.find("directory");
  const auto file = entry.find("file");
  const auto arguments = entry.find("arguments");
  const auto text = entry.find("command");
  if (directory == entry.end() || !directory->is_string() || file == entry.end() || !file->is_string()) return false;
  command.directory = directory->get<std::string>();
  command.file = (command.directory / file->get<std::string>()).lexically_normal();
  if (arguments != entry.end() && arguments->is_array()) {
    for (const Json& word : *arguments) {
      if (!word.is_string()) return false;
      command.arguments.push_back(word.get<std::string>());
    }
  } else if (text != entry.end() && text->is_string()) {
    command.arguments = split_command(text->get<std::string>());
  }
  return !command.arguments.empty();
}

// CMake names the object in the entry, or else in the command.
bool is_of_target(const Json& entry, const CompileCommand& command, const std::string& target) {
  const auto named = entry.find("output");
  std::string object = named != entry.end() && named->is_string() ? named->get<std::string>() : "";
  const auto option = std::find(command.arguments.begin(), command.arguments.end(), "-o");
  if (object.empty() && option != command.arguments.end() && option + 1 != command.arguments.end()) object = option[1];
  return ("/" + object).find("/CMakeFiles/" + target + ".dir/") != std::string::npos;
}

}  // namespace

Result<CompileCommands> CompileCommands::read(const std::filesystem::path& path, const std::string& target) {
  std::ifstream file(path);
  if (!file) {
    return Status::trouble(fmt::format("cannot read {}", path.string()),
                           "let CMake write it (-DCMAKE_EXPORT_COMPILE_COMMANDS=ON), or watch a build: "
                           "ravel weave --capture FILE -- make");
  }
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_array()) return damaged(path, "it is not a JSON array");
  std::vector<CompileCommand> commands;
  for (std::size_t i = 0; i < json.size(); ++i) {
    CompileCommand command;
    if (!read_entry(json[i], command)) {
      return damaged(path, fmt::format("entry {} has no directory, file, and command or arguments", i + 1));
    }
    if (target.empty() || is_of_target(json[i], command, target)) commands.push_back(std::move(command));
  }
  if (!target.empty() && commands.empty()) {
    return Status::trouble(fmt::format("{} compiles nothing for a target {}", path.string(), target),
                           "name a target of the CMake build that wrote it");
  }
  return CompileCommands(std::move(commands));
}

std::vector<const CompileCommand*> CompileCommands::ending_with(std::string_view path) const {
  std::vector<const CompileCommand*> found;
  for (const CompileCommand& command : commands_) {
    if (!ends_with_names(command.file, path)) continue;
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const CompileCommand* other) { return other->file == command.file; });
    if (!known) found.push_back(&command);
  }
  return found;
}

std::string CompileCommands::json() const {
  Json list = Json::array();
  for (const CompileCommand& command : commands_) {
    list.push_back(
        {{"directory", command.directory.string()}, {"file", command.file.string()}, {"arguments", command.arguments}});
  }
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // Within double quotes a backslash is special only before characters that it can escape there.
    const bool escapes =
        c == '\\' && quote != '\'' && i + 1 < text.size() &&
        (quote == '\0' || text[i + 1] == '"' || text[i + 1] == '\\' || text[i + 1] == '$' || text[i + 1] == '`');
    if (escapes) {
      word += text[++i];
      in_word = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

bool ends_with_names(const std::filesystem::path& path, std::string_view end) {
  const std::string whole = path.string();
  if (end.empty() || !whole.ends_with(end)) return false;
  return end.front() == '/' || whole.size() == end.size() || whole[whole.size() - end.size() - 1] == '/';
}

}  // namespace ravel
