// SPDX-License-Identifier: Apache-2.0
// `ravel replay`: run one schedule again; the same finding, every time.
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/debugger.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/replay_report.h"
#include "driver/cli/report_files.h"
#include "driver/cli/shared_options.h"
#include "driver/replay/replay.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

struct ReplayCommandOptions {
  std::string schedule;
  std::optional<CarrierKind> carrier;
  std::optional<FileView> files;
  std::chrono::nanoseconds timeout = TargetSettings{}.timeout;
  std::uint64_t times = 1;
  bool trace = false;
  bool gdb = false;
  OutputOptions output;
};

Result<int> replay(const ReplayCommandOptions& options) {
  Console console(options.output);
  const ReportFiles reports(options.output);
  auto opened = open_schedule(options.schedule, options.timeout, console);
  if (!opened.is_ok()) return opened.status();
  Schedule& schedule = opened.value().schedule;
  TargetSettings& settings = opened.value().settings;
  if (options.carrier) settings.launch.carrier = *options.carrier;
  if (options.files) settings.launch.files = *options.files;
  if (options.gdb) return debug_schedule(schedule, settings);
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(settings, input); !status.is_ok()) return status;

  const std::optional<FindingKind> expected = schedule.finding;
  Replay again(std::move(schedule), settings, options.schedule);
  for (const std::string& warning : again.warnings()) console.warn(warning);
  TextOptions text;
  text.color = console.color();
  text.width = console.width();
  std::string first_report;
  std::uint64_t came_back = 0;
  CommandResult told;
  told.command = "replay";
  told.program = again.program();
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < options.times; ++i) {
    auto run = again.run(options.trace && i == 0);
    if (!run.is_ok()) return run.status();
    const ReplayRun& result = run.value();
    if (!result.internal_error.empty()) {
      console.internal_error(result.internal_error, options.schedule);
      return kInternalError;
    }
    const std::string report = replay_report(result, expected, text);
    if (i == 0) {
      if (result.finding) told.findings.push_back(*result.finding);
      told.findings.insert(told.findings.end(), result.others.begin(), result.others.end());
      if (!result.divergence.empty()) told.notes.push_back(result.divergence);
      for (const std::string& step : result.steps) console.print(step + "\n");
      console.print(report);
      first_report = report;
    }
    if (result.finding && report == first_report) ++came_back;
  }
  if (options.times > 1) {
    console.print(fmt::format("{} of {} replays gave the same report.\n", came_back, options.times));
  }
  if (came_back > 0 && reports.show_steps()) {
    const auto explained = again.shrink({}, false);
    if (!explained.is_ok()) return explained.status();
    if (explained.value()) told.findings.front().explanation = again.explain(*explained.value());
  }
  told.verdict = came_back > 0 ? "the finding came back" : "the finding did not come back";
  if (options.times > 1) told.verdict += fmt::format(" in {} of {} replays", came_back, options.times);
  told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const bool written = reports.write(
      console, [&] { return told; }, [&] { return json_report(told); });
  if (!written) return kTrouble;
  return came_back > 0 ? kFound : kNothingFound;
}

}  // namespace

Command define_replay(Options& options, const CommandLine&) {
  auto chosen = std::make_shared<ReplayCommandOptions>();
  options.usage("ravel replay [options] SCHEDULE");
  define_schedule(options, chosen->schedule);
  options.flag("--trace", chosen->trace, "print one line for each operation");
  options.flag("--gdb", chosen->gdb, "run it in gdb on the thread carrier, stopped at the failure");
  options.number("--times N", chosen->times, "replay this many times and compare the reports", 1);
  define_carrier(options, chosen->carrier).or_else("the schedule's");
  define_files(options, chosen->files).or_else("the schedule's");
  define_timeout(options, chosen->timeout);
  define_reports(options, chosen->output);
  define_color(options, chosen->output.color);
  options.exclude("--gdb", {"--json", "--html", "--sarif", "--junit", "--perfetto"});
  options.notes(
      "Examples:\n"
      "  ravel replay .ravel/1-deadlock.ravel           the report that ravel run printed\n"
      "  ravel replay .ravel/1-deadlock.ravel --trace   and every operation that led there\n"
      "  ravel replay .ravel/1-deadlock.ravel --gdb     the same in gdb, stopped at the failure\n\n"
      "Exit codes: 1 the finding came back, 0 it did not, 2 usage or environment, 3 internal error.");
  return [chosen] { return replay(*chosen); };
}

}  // namespace ravel
