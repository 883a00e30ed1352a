// SPDX-License-Identifier: Apache-2.0
// `ravel cc` and `ravel c++`: the user's compiler, with instrumentation when compiling and Ravel's runtime when
// linking.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/compiler_arguments.h"
#include "driver/cli/console.h"
#include "driver/target/program_file.h"

extern char** environ;

namespace ravel {
namespace {

// RAVEL_CXX may hold several words: "ccache g++".
std::vector<std::string> compiler_words(Language language) {
  const char* const variable = std::getenv(language == Language::c ? "RAVEL_CC" : "RAVEL_CXX");
  std::istringstream text(variable != nullptr ? variable : "");
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.empty()) words.emplace_back(language == Language::c ? "cc" : "c++");
  return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

Status cannot_start(const std::string& compiler, int error) {
  return Status::trouble(fmt::format("cannot start the compiler {}: {}", compiler, std::strerror(error)),
                         "install it, or name another one in RAVEL_CC and RAVEL_CXX");
}

// The exit code; a compiler that died of a signal counts as 1.
Result<int> run_and_wait(std::vector<std::string> command) {
  pid_t pid = -1;
  const std::vector<char*> arguments = pointers(command);
  const int error = ::posix_spawnp(&pid, command[0].c_str(), nullptr, nullptr, arguments.data(), environ);
  if (error != 0) return cannot_start(command[0], error);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// By the name of the file behind the command where that tells, else by asking it.
CompilerFamily family_of(const std::vector<std::string>& compiler) {
  const auto program = inspect_program(compiler.back());
  if (program.is_ok()) {
    std::error_code error;
    const std::string name = std::filesystem::canonical(program.value().path, error).filename().string();
    if (name.find("clang") != std::string::npos) return CompilerFamily::clang;
    if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos) return CompilerFamily::gcc;
  }
  std::string command;
  for (const std::string& word : compiler) command += word + " ";
  std::FILE* const answer = ::popen((command + "--version 2>/dev/null").c_str(), "r");
  if (answer == nullptr) return CompilerFamily::gcc;
  char text[512] = {};
  const std::size_t size = std::fread(text, 1, sizeof text - 1, answer);
  ::pclose(answer);
  return std::string_view(text, size).find("clang") != std::string_view::npos ? CompilerFamily::clang
                                                                              : CompilerFamily::gcc;
}

}  // namespace

int run_compiler(Language language, const std::vector<std::string>& arguments) {
  Console console({});
  const auto give_up = [&](const Status& status) {
    console.trouble(status);
    return static_cast<int>(kTrouble);
  };
  const auto runtime = find_runtime();
  if (!runtime.is_ok()) return give_up(runtime.status());
  for (const std::string& argument : arguments) {
    if (argument == "-static" || argument == "-static-pie") {
      return give_up(Status::trouble("a statically linked program cannot be controlled by Ravel",
                                     fmt::format("leave out {}", argument)));
    }
  }
  const std::vector<std::string> compiler = compiler_words(language);
  const std::string scratch = (std::filesystem::temp_directory_path() / fmt::format("ravel-{}", ::getpid())).string();
  const CompilerCommands plan = plan_compilation(family_of(compiler), arguments, runtime.value(), scratch);

  int code = 0;
  for (const CompilerCommand& step : plan.commands) {
    std::vector<std::string> command = compiler;
    command.insert(command.end(), step.arguments.begin(), step.arguments.end());
    if (plan.commands.size() == 1) {
      // Nothing to do afterwards: become the compiler, so that signals and exit codes are its own.
      const std::vector<char*> words = pointers(command);
      ::execvp(words[0], words.data());
      return give_up(cannot_start(command[0], errno));
    }
    const auto result = run_and_wait(command);
    if (!result.is_ok()) return give_up(result.status());
    code = result.value();
    if (code != 0) break;
  }
  for (const std::string& file : plan.temporaries) ::unlink(file.c_str());
  return code;
}

}  // namespace ravel
