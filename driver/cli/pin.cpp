// SPDX-License-Identifier: Apache-2.0
// `ravel pin`: from a failing schedule to a race test that forces it.
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/options.h"
#include "driver/pin/pin_files.h"
#include "driver/pin/pinning.h"
#include "driver/pin/program_build.h"
#include "driver/race_tests/race_file.h"
#include "driver/race_tests/weaving.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct PinCommandOptions {
  std::string schedule;
  std::string tests = "tests/races";
  std::string name;
  std::string compile_commands;
  unsigned repeat = 100;
  std::string link;
  std::string json;
  std::string time = "5s";
  std::string timeout = "10s";
  bool quiet = false;
};

// A directory of its own under the system's, gone afterwards.
class WorkDirectory {
 public:
  WorkDirectory() {
    std::string name = (fs::temp_directory_path() / "ravel-pin-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~WorkDirectory() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<int> pin_schedule(PinCommandOptions options, Console& console) {
  // Before the directory changes.
  const fs::path started = fs::current_path();
  const fs::path tests = fs::absolute(options.tests).lexically_normal();
  const fs::path schedule_path = fs::absolute(options.schedule).lexically_normal();
  if (!options.compile_commands.empty()) options.compile_commands = fs::absolute(options.compile_commands).string();

  const auto analyzer = find_analyzer();
  if (!analyzer.is_ok()) return analyzer.status();
  const auto headers = find_headers();
  if (!headers.is_ok()) return headers.status();
  const auto sync = find_sync_library();
  if (!sync.is_ok()) return sync.status();
  auto opened = open_schedule(options.schedule, console);
  if (!opened.is_ok()) return opened.status();
  const Schedule& schedule = opened.value().schedule;
  if (!schedule.finding) {
    return Status::trouble(fmt::format("{} records no finding", options.schedule),
                           "only findings can be pinned; ravel replay runs it");
  }
  const std::string program = opened.value().settings.executable;
  if (options.name.empty()) options.name = test_name(program, *schedule.finding);
  if (const Status status = check_free(tests / options.name, options.name); !status.is_ok()) return status;

  const auto sources = sources_of(program);
  if (!sources.is_ok()) return sources.status();
  const auto known = find_compile_commands(options.compile_commands, started, program);
  if (!known.is_ok()) return known.status();
  const auto commands = commands_of(sources.value(), known.value() ? &*known.value() : nullptr);
  if (!commands.is_ok()) return commands.status();

  const auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) return input.status();
  TargetSettings& settings = opened.value().settings;
  settings.timeout = duration_value(options.timeout);
  settings.interrupted = &catch_interrupts();
  settings.input = &input.value();
  const std::vector<std::string> arguments(schedule.program.begin() + 1, schedule.program.end());
  const FindingKind kind = *schedule.finding;
  Replay replay(std::move(opened.value().schedule), settings, options.schedule);
  if (const std::vector<std::string> warnings = replay.warnings(); !warnings.empty()) {
    return Status::trouble(warnings.front(), "record the failure again with this program: ravel run");
  }
  ShrinkBudget budget;
  budget.time = duration_value(options.time);
  auto shrunk = replay.shrink(budget, true);
  if (!shrunk.is_ok()) return shrunk.status();
  if (!shrunk.value()) {
    console.print(fmt::format("The {} of this schedule did not come back.\n", finding_name(kind)));
    return static_cast<int>(kNothingFound);
  }

  const WorkDirectory work;
  if (work.path().empty()) return Status::trouble("cannot make a temporary directory", "set TMPDIR to one with room");
  PinOptions pinning;
  pinning.name = options.name;
  pinning.program = program;
  pinning.arguments = arguments;
  pinning.work = work.path();
  pinning.analyzer = analyzer.value();
  pinning.include = headers.value();
  pinning.sync_library = sync.value();
  std::error_code error;
  pinning.ravel = fs::read_symlink("/proc/self/exe", error).string();
  pinning.link = split_command(options.link);
  pinning.repeats = options.repeat;
  pinning.timeout = settings.timeout;
  pinning.interrupted = settings.interrupted;
  pinning.progress = [&](const std::string& line) {
    if (console.wants_progress()) console.progress(line);
  };
  const auto pinned = pin(replay, *shrunk.value(), commands.value(), pinning);
  console.clear_progress();
  if (!pinned.is_ok()) return pinned.status();
  const PinResult& result = pinned.value();
  if (!options.json.empty()) {
    if (const Status status = write_pin_report(result, schedule_path.string(), started / options.json);
        !status.is_ok()) {
      return status;
    }
  }
  if (!result.test) {
    console.print(fmt::format("Nothing is written: {}.\n", result.why));
    return static_cast<int>(kFound);
  }
  const PinnedFiles files{tests / options.name, *result.test, result.finding, schedule_path};
  if (const Status status = write_pinned_test(files); !status.is_ok()) return status;
  console.inform(fmt::format("{}: {}\n", finding_name(kind), result.finding));
  for (const Action& action : result.test->actions) console.inform("  " + action_text(action) + "\n");
  console.print(fmt::format("{} forces it: {} of {} repeats report it\n", (tests / options.name).string(),
                            result.verified.reported, result.verified.repeats));
  console.inform(next_commands(tests, options.name, program));
  return static_cast<int>(kNothingFound);
}

}  // namespace

Command add_pin(CLI::App& app, const CommandLine&) {
  CLI::App* const command = app.add_subcommand("pin", "write a race test that forces the order of a failing schedule");
  set_usage(*command, "ravel pin SCHEDULE [options]");
  command->footer(
      "The test is tried on a copy of the program before it is written; the sources are never touched.\n"
      "Examples:\n"
      "  ravel pin .ravel/1-deadlock.ravel --tests tests/races --compile-commands build/compile_commands.json\n"
      "  ravel weave --capture compile_commands.json -- make     where the build writes no such file\n"
      "Exit codes: 0 a test was written (or the finding did not come back), 1 no test forces it, 2 usage or "
      "environment.");
  auto options = std::make_shared<PinCommandOptions>();
  command->add_option("SCHEDULE", options->schedule, "a file that ravel run wrote")->required()->option_text(" ");
  command->add_option("--tests", options->tests, "directory that gets the test, as a directory [tests/races]")
      ->option_text("DIR");
  command->add_option("--name", options->name, "of the test [the program's and the finding's]")->option_text("NAME");
  command
      ->add_option("--compile-commands", options->compile_commands,
                   "how the sources are compiled [compile_commands.json, or what the compiler noted]")
      ->option_text("FILE");
  command->add_option("--repeat", options->repeat, "so often the test must report before it is written [100]")
      ->option_text("N")
      ->check(CLI::Range(1U, 1'000'000U));
  command->add_option("--link", options->link, "more words for linking the copy of the program")->option_text("WORDS");
  add_duration_option(*command, "--time", options->time, "limit of the search for a shorter schedule [5s]");
  add_timeout_option(*command, options->timeout);
  command->add_option("--json", options->json, "write the result as JSON into this file")->option_text("FILE");
  command->add_flag("--quiet", options->quiet, "print the result and troubles only");
  return [options] {
    Console console({options->quiet, true, false});
    const auto code = pin_schedule(*options, console);
    if (code.is_ok()) return code.value();
    console.trouble(code.status());
    return static_cast<int>(kTrouble);
  };
}

}  // namespace ravel
