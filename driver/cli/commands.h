// SPDX-License-Identifier: Apache-2.0
// The commands of `ravel`, one file each. A define_* function defines the options of its command and returns a function
// that performs the command once they have been parsed; run_command_line() picks the command that was asked for.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/cli/options.h"

namespace ravel {

struct CommandLine {
  // What comes after "--", or without "--" the words that are not options. Filled in before a command is performed.
  std::vector<std::string> program;
};

// Performs a command. Returns the exit code, or an error, which is printed and becomes exit code 2.
using Command = std::function<Result<int>()>;

struct CommandEntry {
  const char* name;
  const char* summary;
  Command (*define)(Options& options, const CommandLine& line);  // nullptr: a compiler wrapper
};

// In the order of the help.
std::span<const CommandEntry> list_commands();

Command define_run(Options& options, const CommandLine& line);
Command define_explore(Options& options, const CommandLine& line);
Command define_noise(Options& options, const CommandLine& line);
Command define_replay(Options& options, const CommandLine& line);
Command define_shrink(Options& options, const CommandLine& line);
Command define_explain(Options& options, const CommandLine& line);
Command define_analyze(Options& options, const CommandLine& line);
Command define_weave(Options& options, const CommandLine& line);
Command define_futures(Options& options, const CommandLine& line);
Command define_pin(Options& options, const CommandLine& line);
Command define_reproduce(Options& options, const CommandLine& line);
Command define_generate(Options& options, const CommandLine& line);
Command define_test(Options& options, const CommandLine& line);
Command define_doctor(Options& options, const CommandLine& line);

// The compiler wrappers pass on every argument as it is: they have no options of their own.
enum class Language { c, cplusplus };
Result<int> run_compiler(Language language, const std::vector<std::string>& arguments);

// The whole command line; what main() does.
int run_command_line(int argc, const char* const* argv);

}  // namespace ravel
