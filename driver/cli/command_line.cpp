// SPDX-License-Identifier: Apache-2.0
// Parses the command line, performs the command, and turns every error into one sentence and exit code 2.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/compiler_arguments.h"
#include "driver/cli/console.h"
#include "driver/cli/did_you_mean.h"
#include "reports/campaign_result.h"

namespace ravel {
namespace {

constexpr CommandEntry kCommands[] = {
    {"run", "explore the schedules of a program and report what is found", define_run},
    {"noise", "run a program many times on parallel threads, with noise, and count the failures", define_noise},
    {"replay", "run one schedule again: the same finding, every time", define_replay},
    {"explain", "show how a finding comes about, step by step", define_explain},
    {"shrink", "find the schedule with the fewest preemptions that shows the same finding", define_shrink},
    {"reproduce", "find a test and a schedule that fail as a crash stack says", define_reproduce},
    {"pin", "write a race test that forces the order of a failing schedule", define_pin},
    {"weave", "put the actions of race tests into a copy of the sources", define_weave},
    {"test", "run the race tests that were woven into a program", define_test},
    {"generate", "find the calls that can run at the same time, and explore each two", define_generate},
    {"futures", "list the writes that each shared read can see, and run each case", define_futures},
    {"analyze", "list what reads can see, or which functions share variables, from the sources", define_analyze},
    {"explore", "explore the body of a ravel::explore call: what a test starts", define_explore},
    {"doctor", "check what works on this machine and for a program", define_doctor},
    {"cc", "compile C so that Ravel sees memory accesses: wraps $RAVEL_CC, or cc", nullptr},
    {"c++", "compile C++ so that Ravel sees memory accesses: wraps $RAVEL_CXX, or c++", nullptr},
};

constexpr const char* kExamples =
    "Examples:\n"
    "  ravel run -- ./prog                    find interleaving bugs of a program, no rebuild needed\n"
    "  CXX=\"ravel c++\" make                   rebuild it so that Ravel sees its memory accesses too\n"
    "  ravel replay .ravel/1-deadlock.ravel   run a finding again\n"
    "  ravel explain .ravel/1-deadlock.ravel  see step by step how it comes about\n"
    "  ravel noise -- ./prog                  for programs too large to control\n"
    "  ravel doctor -- ./prog                 what Ravel can see of this program, and how to get more\n\n"
    "ravel COMMAND --help explains a command.\n";

std::string main_help() {
  std::string out =
      "Ravel takes control of the threads of a program: it finds interleaving bugs and replays them.\n\n"
      "Usage: ravel COMMAND [options]\n\nCommands:\n";
  constexpr std::size_t kColumn = 14;
  for (const CommandEntry& command : kCommands) out += help_line(command.name, command.summary, kColumn);
  out += "\nOptions:\n" + help_line("-h, --help", "print this help", kColumn);
  out += help_line("--version", "print the version", kColumn);
  return out + "\n" + kExamples;
}

// The wrappers have no options of their own: what they do is all there is to say.
std::string compiler_help(const CommandEntry& entry) {
  const std::string name = entry.name;
  const bool c = name == "cc";
  return fmt::format(
      "ravel {0} - {1}\n\n"
      "Usage: ravel {0} [the compiler's options] FILES\n\n"
      "It calls the compiler ($RAVEL_{2}, or {3}) with the options you give, and adds:\n"
      "  compiling   -fsanitize=thread, -g, Ravel's headers (<ravel/sync.h>), and in place of -O1 and more what keeps\n"
      "              every access to memory of the source\n"
      "  linking     Ravel's runtime in place of ThreadSanitizer's\n"
      "The program runs as usual, and ravel run sees its memory accesses. {3} --help lists the compiler's options.\n\n"
      "Examples:\n"
      "  ravel {0} -O2 -pthread bank.{4} -o bank\n"
      "  {5}=\"ravel {0}\" make\n"
      "  {5}=\"ravel {0}\" cmake -B build\n\n"
      "Exit codes: the compiler's; 2 when it cannot be started.\n",
      name, entry.summary, c ? "CC" : "CXX", c ? "cc" : "c++", c ? "c" : "cpp", c ? "CC" : "CXX");
}

// Everything after the first "--" belongs to the program, whatever it looks like.
Result<int> perform(const CommandEntry& entry, const std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  CommandLine line;
  Options options(entry.name, entry.summary);
  const Command command = entry.define(options, line);
  if (Status status = options.parse({words.begin(), dashes}); !status.is_ok()) return status;
  if (options.wants_help()) {
    std::fputs(options.help().c_str(), stdout);
    return kNothingFound;
  }
  line.program = options.program();
  const std::vector<std::string> after(dashes == words.end() ? dashes : dashes + 1, words.end());
  if (!line.program.empty() && !after.empty()) {
    return Status::trouble(fmt::format("'{}' comes before -- but is not an option", line.program[0]),
                           fmt::format("ravel {} --help lists its options", entry.name));
  }
  if (!after.empty()) line.program = after;
  return command();
}

Result<int> dispatch(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    std::fputs(main_help().c_str(), stdout);
    return words.empty() ? kTrouble : kNothingFound;
  }
  if (words[0] == "--version") {
    fmt::print("ravel {}\n", kRavelVersion);
    return kNothingFound;
  }
  if (words[0] == "help") {
    if (words.size() == 1) return dispatch({"--help"});
    return dispatch({words[1], "--help"});
  }
  for (const CommandEntry& entry : kCommands) {
    if (words[0] != entry.name) continue;
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (entry.define != nullptr) return perform(entry, rest);
    if (rest.size() == 1 && rest[0] == "--help") {
      std::fputs(compiler_help(entry).c_str(), stdout);
      return kNothingFound;
    }
    return run_compiler(words[0] == "cc" ? Language::c : Language::cplusplus, rest);
  }
  // With CC="ravel cc", CMake calls the first word alone for assembler files.
  if (words[0].starts_with("-") && names_source(words)) return run_compiler(Language::c, words);
  std::vector<std::string> names;
  for (const CommandEntry& entry : kCommands) names.emplace_back(entry.name);
  const std::string meant = did_you_mean(words[0], names);
  return Status::trouble(
      fmt::format("there is no command '{}'", words[0]),
      (meant.empty() ? "" : fmt::format("did you mean {}? ", meant)) + "ravel --help lists the commands");
}

}  // namespace

std::span<const CommandEntry> list_commands() { return kCommands; }

int run_command_line(int argc, const char* const* argv) {
  const Result<int> code = dispatch({argv + 1, argv + argc});
  if (code.is_ok()) return code.value();
  print_trouble(code.status());
  return kTrouble;
}

}  // namespace ravel
