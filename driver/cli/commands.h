// SPDX-License-Identifier: Apache-2.0
// The commands of `ravel`, one file each. A define_* function defines the options of its command and returns what
// performs it, once they have been parsed; run_command_line() picks the one that was asked for.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/cli/options.h"

namespace ravel {

struct CommandLine {
  // What stands after "--", or the words that are no options where there is no "--". Filled before a command is
  // performed.
  std::vector<std::string> program;
};

// Performs a command: the exit code, or the trouble, which is printed and becomes exit code 2.
using Command = std::function<Result<int>()>;

struct CommandEntry {
  const char* name;
  const char* summary;
  Command (*define)(Options& options, const CommandLine& line);  // nullptr: a compiler wrapper
};

// In the order of help.
std::span<const CommandEntry> list_commands();

Command define_run(Options& options, const CommandLine& line);
Command define_noise(Options& options, const CommandLine& line);
Command define_replay(Options& options, const CommandLine& line);
Command define_shrink(Options& options, const CommandLine& line);
Command define_explain(Options& options, const CommandLine& line);
Command define_analyze(Options& options, const CommandLine& line);
Command define_weave(Options& options, const CommandLine& line);
Command define_futures(Options& options, const CommandLine& line);
Command define_pin(Options& options, const CommandLine& line);
Command define_test(Options& options, const CommandLine& line);
Command define_doctor(Options& options, const CommandLine& line);

// The compiler wrappers take every argument as it is: no options of their own.
enum class Language { c, cplusplus };
Result<int> run_compiler(Language language, const std::vector<std::string>& arguments);

// The whole command line; what main() does.
int run_command_line(int argc, const char* const* argv);

}  // namespace ravel
