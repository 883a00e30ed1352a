// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/class_options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "driver/pin/program_build.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

// Those of a command that say how a source is understood: not what is compiled, where to, and how fast it will be.
void take_command(const CompileCommand& command, BuildPlan& plan) {
  const std::vector<std::string> words = compile_words(command, "object");
  plan.directory = command.directory;
  // A harness is C++, also where the library is C.
  std::vector<std::string>& compiler = command.file.extension() == ".c" ? plan.c_compiler : plan.compiler;
  compiler.clear();
  plan.options.clear();
  bool options = false;
  // The last four are -c FILE -o object.
  for (std::size_t i = 0; i + 4 < words.size(); ++i) {
    const std::string& word = words[i];
    options = options || word.starts_with("-");
    if (!options) {
      compiler.push_back(word);
    } else if (!word.starts_with("-O") && !word.starts_with("-fsanitize") && word != "-g" && word != "-Werror") {
      plan.options.push_back(word);
    }
  }
}

const CompileCommand* command_for(const CompileCommands& known, const BuildPlan& plan) {
  const auto is_source = [&](const CompileCommand& command) {
    return std::find(plan.sources.begin(), plan.sources.end(), command.file.string()) != plan.sources.end();
  };
  const auto is_near = [&](const CompileCommand& command) {
    return command.file.parent_path() == fs::path(plan.headers.front()).parent_path();
  };
  const std::vector<CompileCommand>& all = known.all();
  auto found = std::find_if(all.begin(), all.end(), is_source);
  if (found == all.end()) found = std::find_if(all.begin(), all.end(), is_near);
  return found == all.end() ? nullptr : &*found;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

Status find_class_options(const std::vector<std::string>& typed, const CompileCommands* known,
                          const std::string& binary, BuildPlan& plan) {
  const char* const compiler = std::getenv("RAVEL_CXX");
  plan.compiler = split_command(compiler != nullptr && *compiler != '\0' ? compiler : "c++");
  const char* const c_compiler = std::getenv("RAVEL_CC");
  plan.c_compiler = split_command(c_compiler != nullptr && *c_compiler != '\0' ? c_compiler : "cc");
  plan.options = {"-std=c++20"};
  if (!typed.empty()) {
    plan.options = typed;
    return Status::ok();
  }
  if (known != nullptr) {
    if (const CompileCommand* const command = command_for(*known, plan)) {
      take_command(*command, plan);
      return Status::ok();
    }
  }
  if (binary.empty()) return Status::ok();
  const auto sources = sources_of(binary);
  if (!sources.is_ok()) return Status::ok();
  const auto commands = commands_of(sources.value(), nullptr, false);
  if (!commands.is_ok()) return Status::ok();
  if (const CompileCommand* const command = command_for(commands.value(), plan)) take_command(*command, plan);
  return Status::ok();
}

Result<std::map<std::string, std::vector<std::string>>> read_values(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Status::trouble(fmt::format("cannot read {}", path), "check the name after --values");
  std::map<std::string, std::vector<std::string>> values;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string text = trimmed(line);
    if (text.empty() || text.starts_with("#")) continue;
    const std::size_t equals = text.find(" = ");
    if (equals == std::string::npos) {
      return Status::trouble(fmt::format("{}:{}: '{}' is not TYPE = EXPRESSION", path, number, text),
                             "example: std::string = \"user=admin\"");
    }
    values[trimmed(text.substr(0, equals))].push_back(trimmed(text.substr(equals + 3)));
  }
  return values;
}

}  // namespace ravel
