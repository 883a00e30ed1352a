// SPDX-License-Identifier: Apache-2.0
// `ravel pin`: from a failing schedule to a race test that forces it.
#include "driver/cli/pin_schedule.h"

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/shared_options.h"
#include "driver/pin/pin_files.h"
#include "driver/pin/pinning.h"
#include "driver/pin/program_build.h"
#include "driver/process/temporary_directory.h"
#include "driver/race_tests/race_file.h"
#include "driver/race_tests/weaving.h"
#include "driver/sources/analyzer.h"
#include "driver/target/program_file.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

// As the user would type it.
fs::path from_here(const fs::path& path, const fs::path& here) {
  const fs::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path : relative;
}

}  // namespace

Result<int> pin_schedule(PinCommandOptions options, Console& console) {
  // Before the directory changes.
  const fs::path started = fs::current_path();
  const fs::path tests = fs::absolute(options.tests).lexically_normal();
  const fs::path schedule_path = fs::absolute(options.schedule).lexically_normal();
  if (!options.compile_commands.empty()) options.compile_commands = fs::absolute(options.compile_commands).string();
  std::string& json = options.output.json;
  if (!json.empty() && json != "-") json = fs::absolute(json).string();

  const auto analyzer = find_analyzer();
  if (!analyzer.is_ok()) return analyzer.status();
  const auto headers = find_headers();
  if (!headers.is_ok()) return headers.status();
  const auto sync = find_sync_library();
  if (!sync.is_ok()) return sync.status();
  StandardInput input = StandardInput::none();
  auto opened = open_finding(options.schedule, options.timeout, input, console);
  if (!opened.is_ok()) return opened.status();
  const Schedule& schedule = opened.value().schedule;
  const std::string program = opened.value().settings.executable;
  if (options.name.empty()) options.name = test_name(program, *schedule.finding);
  if (Status status = check_free(tests / options.name, options.name); !status.is_ok()) return status;
  const fs::path built = options.build ? started / options.name : fs::path();
  if (options.build) {
    if (Status status = check_program_free(built); !status.is_ok()) return status;
  }

  const auto sources = sources_of(program);
  if (!sources.is_ok()) return sources.status();
  const auto known = find_compile_commands(options.compile_commands, started, program);
  if (!known.is_ok()) return known.status();
  const auto file = inspect_program(program);
  if (!file.is_ok()) return file.status();
  const bool instrumented = file.value().level == BuildLevel::tsan_shared;
  const auto commands = commands_of(sources.value(), known.value() ? &*known.value() : nullptr, instrumented);
  if (!commands.is_ok()) return commands.status();

  TargetSettings& settings = opened.value().settings;
  settings.deadline = settings.deadline.within(options.time);
  const std::vector<std::string> arguments(schedule.program.begin() + 1, schedule.program.end());
  const FindingKind kind = *schedule.finding;
  if (kind == FindingKind::exit_code && !schedule.ok_exits.empty()) {
    console.print("Nothing is written: a race test cannot say which exit codes are failures (--ok-exit).\n");
    return kFound;
  }
  Replay replay(std::move(opened.value().schedule), settings, options.schedule);
  if (const std::vector<std::string> warnings = replay.warnings(); !warnings.empty()) {
    return Status::trouble(warnings.front(), "record the failure again with this program: ravel run");
  }
  const auto shrunk = replay.shrink(ShrinkBudget{}, true);
  if (!shrunk.is_ok()) return shrunk.status();
  if (!shrunk.value()) {
    console.print(fmt::format("The {} of this schedule did not come back.\n", finding_name(kind)));
    return kNothingFound;
  }

  const auto work = TemporaryDirectory::make("ravel-pin");
  if (!work.is_ok()) return work.status();
  PinOptions pinning;
  pinning.name = options.name;
  pinning.tests = tests;
  pinning.program = program;
  pinning.arguments = arguments;
  pinning.work = work.value().path();
  pinning.analyzer = analyzer.value();
  pinning.include = headers.value();
  pinning.sync_library = sync.value();
  std::error_code error;
  pinning.ravel = fs::read_symlink("/proc/self/exe", error).string();
  pinning.link = split_command(options.link);
  pinning.repeats = options.repeats;
  pinning.timeout = settings.timeout;
  pinning.deadline = settings.deadline;
  pinning.progress = [&](const std::string& line) { console.phase(line); };
  const auto pinned = pin(replay, *shrunk.value(), commands.value(), pinning);
  console.clear_progress();
  if (!pinned.is_ok()) return pinned.status();
  const PinResult& result = pinned.value();
  if (!json.empty()) {
    if (Status status = write_report(json_of_pin(result, schedule_path.string()), json); !status.is_ok()) return status;
  }
  if (result.cut) {
    return Status::trouble(fmt::format("nothing is written: {}", result.why), "--time allows more");
  }
  if (!result.test) {
    console.print(fmt::format("Nothing is written: {}.\n", result.why));
    return kFound;
  }
  const PinnedFiles files{tests / options.name, *result.test, result.finding, schedule_path};
  if (Status status = write_pinned_test(files); !status.is_ok()) return status;
  if (options.build) {
    if (Status status = leave_program(result, built); !status.is_ok()) return status;
  }
  console.inform(fmt::format("{}: {}\n", finding_name(kind), result.finding));
  for (const Action& action : result.test->actions) console.inform("  " + action_text(action) + "\n");
  const fs::path shown = from_here(tests, started);
  console.print(fmt::format("{} forces it: {} of {} repeats report it\n", (shown / options.name).string(),
                            result.verified.reported, result.verified.repeats));
  console.inform(next_commands(shown, options.name, program, options.build));
  return kNothingFound;
}

Command define_pin(Options& options, const CommandLine&) {
  auto chosen = std::make_shared<PinCommandOptions>();
  options.usage("ravel pin [options] SCHEDULE");
  define_schedule(options, chosen->schedule);
  options.text("--tests DIR", chosen->tests, "directory of race tests; the new test becomes a directory in it");
  options.text("--name NAME", chosen->name, "name of the test").or_else("from the program and the finding");
  define_compile_commands(options, chosen->compile_commands)
      .or_else("compile_commands.json, or what the compiler noted in the program");
  options.number("--repeat N", chosen->repeats, "how many times the test must report the finding before it is written",
                 1, 1'000'000);
  options.text("--link WORDS", chosen->link, "more words for the command that links the copy of the program");
  options.flag("--build", chosen->build, "leave the copy of the program, with the test woven into it, as ./NAME");
  options.duration("--time TIME", chosen->time, "give up after this time");
  define_timeout(options, chosen->timeout);
  define_json(options, chosen->output.json);
  define_quiet(options, chosen->output.quiet, "the result and errors");
  options.notes(
      "The test is tried on a copy of the program before it is written; the sources are never touched.\n\n"
      "Examples:\n"
      "  ravel pin .ravel/1-deadlock.ravel --compile-commands build/compile_commands.json\n"
      "  ravel weave --capture compile_commands.json -- make   where the build writes no such file\n\n"
      "Exit codes: 0 a test was written, or the finding did not come back; 1 no test forces it;\n"
      "2 usage or environment.");
  return [chosen] {
    Console console(chosen->output);
    return pin_schedule(*chosen, console);
  };
}

}  // namespace ravel
