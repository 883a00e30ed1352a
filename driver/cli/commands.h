// SPDX-License-Identifier: Apache-2.0
// The subcommands of `ravel`, one file each. An add_* function declares the options of its command and leaves a
// function that performs it and returns the exit code; main picks the one that was asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;  // CLI/CLI.hpp is slow to compile: only the files that declare options include it
}

namespace ravel {

// What stands after "--" on the command line, or the positional words when there is no "--".
using ProgramLine = std::vector<std::string>;

using Command = std::function<int()>;

struct CommandLine {
  ProgramLine program;  // filled by main before a command is performed
};

// Help that opens with the usage line given, because programs stand after "--" and CLI11 does not know that.
void set_usage(CLI::App& command, const std::string& usage);

Command add_run(CLI::App& app, const CommandLine& line);
Command add_noise(CLI::App& app, const CommandLine& line);
Command add_replay(CLI::App& app, const CommandLine& line);
Command add_shrink(CLI::App& app, const CommandLine& line);
Command add_explain(CLI::App& app, const CommandLine& line);
Command add_analyze(CLI::App& app, const CommandLine& line);
Command add_weave(CLI::App& app, const CommandLine& line);
Command add_futures(CLI::App& app, const CommandLine& line);
Command add_pin(CLI::App& app, const CommandLine& line);
Command add_test(CLI::App& app, const CommandLine& line);
Command add_doctor(CLI::App& app, const CommandLine& line);

// The compiler wrappers take every argument as it is: no options of their own.
enum class Language { c, cplusplus };
int run_compiler(Language language, const std::vector<std::string>& arguments);

// The whole command line; what main() does.
int run_command_line(int argc, const char* const* argv);

}  // namespace ravel
