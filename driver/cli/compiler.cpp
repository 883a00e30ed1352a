// SPDX-License-Identifier: Apache-2.0
// `ravel cc` and `ravel c++`: the user's compiler, with instrumentation when compiling and Ravel's runtime when
// linking.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/compiler_arguments.h"
#include "driver/process/run_process.h"
#include "driver/race_tests/weaving.h"
#include "driver/target/program_file.h"

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

ProcessOrder order_of(std::vector<std::string> command) {
  ProcessOrder order(std::move(command));
  order.name = "the compiler " + order.words[0];
  order.advice = "install it, or name another one in RAVEL_CC and RAVEL_CXX";
  return order;
}

// The exit code; a compiler that was killed by a signal counts as 1.
Result<int> run_and_wait(const ProcessOrder& order) {
  auto process = Process::start(order);
  if (!process.is_ok()) return process.status();
  const int status = process.value().wait();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// By the name of the file behind the command if that is enough, otherwise by asking it.
CompilerFamily family_of(const std::vector<std::string>& compiler) {
  const auto program = inspect_program(compiler.back());
  if (program.is_ok()) {
    std::error_code error;
    const std::string name = std::filesystem::canonical(program.value().path, error).filename().string();
    if (name.find("clang") != std::string::npos) return CompilerFamily::clang;
    if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos) return CompilerFamily::gcc;
  }
  std::vector<std::string> question = compiler;
  question.emplace_back("--version");
  const auto answer = run_process(std::move(question));
  const bool is_clang = answer.is_ok() && answer.value().output.find("clang") != std::string::npos;
  return is_clang ? CompilerFamily::clang : CompilerFamily::gcc;
}

}  // namespace

Result<int> run_compiler(Language language, const std::vector<std::string>& arguments) {
  const auto runtime = find_runtime();
  if (!runtime.is_ok()) return runtime.status();
  for (const std::string& argument : arguments) {
    if (argument == "-static" || argument == "-static-pie") {
      return Status::trouble("a statically linked program cannot be controlled by Ravel",
                             fmt::format("leave out {}", argument));
    }
  }
  const std::vector<std::string> compiler = compiler_words(language);
  const std::string scratch = (std::filesystem::temp_directory_path() / fmt::format("ravel-{}", ::getpid())).string();
  const auto headers = find_headers();
  const CompilerAdditions additions{runtime.value(), headers.is_ok() ? headers.value() : ""};
  const CompilerCommands plan = plan_compilation(family_of(compiler), arguments, additions, scratch);

  int code = 0;
  for (const CompilerCommand& step : plan.commands) {
    std::vector<std::string> command = compiler;
    command.insert(command.end(), step.arguments.begin(), step.arguments.end());
    const ProcessOrder order = order_of(std::move(command));
    // Nothing to do afterwards: become the compiler, so that signals and exit codes are its own.
    if (plan.commands.size() == 1) return become_process(order);
    const auto result = run_and_wait(order);
    if (!result.is_ok()) return result.status();
    code = result.value();
    if (code != 0) break;
  }
  for (const std::string& file : plan.temporaries) ::unlink(file.c_str());
  return code;
}

}  // namespace ravel
