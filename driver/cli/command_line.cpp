// SPDX-License-Identifier: Apache-2.0
// Takes the command line apart: picks the command, maps usage errors to one sentence and exit code 2.
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "reports/campaign_result.h"

namespace ravel {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  ravel run -- ./prog                    find interleaving bugs of a program, no rebuild needed\n"
    "  CXX=\"ravel c++\" make && ravel run -- ./prog  see its memory accesses too\n"
    "  ravel noise -- ./prog                  the same for programs too large to control: parallel, disturbed\n"
    "  ravel replay .ravel/1-deadlock.ravel   run a finding again\n"
    "  ravel explain .ravel/1-deadlock.ravel  see step by step how it comes about\n"
    "  ravel futures -- ./prog                what each shared read can see, and what comes of it\n"
    "  ravel weave --tests tests/races --out woven  actions of race tests, woven into a copy of the sources\n"
    "  ravel test -- ./woven_tests            run race tests: the races that were fixed stay away\n"
    "  ravel analyze --futures a.cpp b.cpp    the writes that each read of a shared variable can see\n"
    "  ravel pin .ravel/1-deadlock.ravel --tests tests/races  a race test that forces the finding every time\n"
    "  ravel doctor -- ./prog                 what Ravel can see of this program, and how to get more\n"
    "Every command explains itself: ravel COMMAND --help";

class UsageFormatter final : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + "\n"; }

 private:
  std::string usage_;
};

int usage_error(const std::string& what) {
  fmt::print(stderr, "ravel: {}\n  ravel --help shows the commands, ravel COMMAND --help their options\n", what);
  return kTrouble;
}

}  // namespace

void set_usage(CLI::App& command, const std::string& usage) {
  const auto formatter = std::make_shared<UsageFormatter>(usage);
  formatter->column_width(34);
  command.formatter(formatter);
}

int run_command_line(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "cc" || arguments[0] == "c++")) {
    const Language language = arguments[0] == "cc" ? Language::c : Language::cplusplus;
    return run_compiler(language, {arguments.begin() + 1, arguments.end()});
  }

  // Everything after the first "--" belongs to the program, whatever it looks like.
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "--") continue;
    line.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
    arguments.resize(i);
    break;
  }

  CLI::App app("Ravel takes control of the threads of a program: it finds interleaving bugs and replays them.");
  app.name("ravel");
  app.set_version_flag("--version", std::string("ravel ") + kRavelVersion, "print the version");
  app.set_help_flag("--help,-h", "print this help");
  set_usage(app, "ravel COMMAND [options]");
  app.footer(kExamples);
  const std::vector<std::pair<const char*, Command>> commands = {
      {"run", add_run(app, line)},         {"noise", add_noise(app, line)},   {"replay", add_replay(app, line)},
      {"explain", add_explain(app, line)}, {"shrink", add_shrink(app, line)}, {"pin", add_pin(app, line)},
      {"weave", add_weave(app, line)},     {"test", add_test(app, line)},     {"futures", add_futures(app, line)},
      {"analyze", add_analyze(app, line)}, {"doctor", add_doctor(app, line)}};
  // The wrappers never get here; they are declared for the help.
  app.add_subcommand("cc", "compile C so that Ravel sees memory accesses: a wrapper of $RAVEL_CC (cc)");
  app.add_subcommand("c++", "compile C++ so that Ravel sees memory accesses: a wrapper of $RAVEL_CXX (c++)");
  std::vector<std::string> words;  // a program given without "--"
  for (const char* const name : {"run", "noise", "futures", "test", "doctor"}) {
    app.get_subcommand(name)->add_option("PROGRAM", words, "the program and its arguments")->group("");
  }

  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  if (!words.empty() && !line.program.empty()) {
    return usage_error(fmt::format("'{}' stands before -- but is no option", words[0]));
  }
  if (line.program.empty()) line.program = words;
  for (const auto& [name, command] : commands) {
    if (app.got_subcommand(name)) return command();
  }
  std::fputs(app.help().c_str(), stdout);
  return arguments.empty() ? kTrouble : kNothingFound;
}

}  // namespace ravel
