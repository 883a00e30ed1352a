// SPDX-License-Identifier: Apache-2.0
// `ravel replay`: run one schedule again; the same finding, every time.
#include <unistd.h>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/debugger.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/options.h"
#include "driver/replay/replay.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

struct ReplayCommandOptions {
  std::string schedule;
  std::string carrier;
  std::string timeout = "10s";
  std::uint64_t times = 1;
  bool trace = false;
  bool gdb = false;
  bool no_color = false;
};

int replay(const ReplayCommandOptions& options) {
  Console console({false, options.no_color, false});
  const auto give_up = [&](const Status& status) {
    console.trouble(status);
    return static_cast<int>(kTrouble);
  };
  auto opened = open_schedule(options.schedule, console);
  if (!opened.is_ok()) return give_up(opened.status());
  Schedule& schedule = opened.value().schedule;
  TargetSettings& settings = opened.value().settings;
  settings.timeout = duration_value(options.timeout);
  if (!options.carrier.empty()) settings.launch.carrier = carrier_value(options.carrier);
  if (options.gdb) return debug_schedule(schedule, settings, console);

  settings.interrupted = &catch_interrupts();
  const auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) return give_up(input.status());
  settings.input = &input.value();

  const std::optional<FindingKind> expected = schedule.finding;
  Replay again(std::move(schedule), settings, options.schedule);
  for (const std::string& warning : again.warnings()) fmt::print(stderr, "ravel: warning: {}\n", warning);
  TextOptions text;
  text.color = console.color();
  std::string first_report;
  std::uint64_t came_back = 0;
  for (std::uint64_t i = 0; i < options.times; ++i) {
    auto run = again.run(options.trace && i == 0);
    if (!run.is_ok()) return give_up(run.status());
    const ReplayRun& result = run.value();
    if (!result.internal_error.empty()) {
      console.internal_error(result.internal_error, options.schedule);
      return kInternalError;
    }
    std::string report;
    if (result.finding) report += text_of_finding(*result.finding, text);
    if (!result.divergence.empty()) report += fmt::format("ravel: {}\n", result.divergence);
    if (!result.finding) {
      for (const ReportedFinding& other : result.others) report += text_of_finding(other, text);
      report += expected ? fmt::format("The {} of this schedule did not come back{}.\n", finding_name(*expected),
                                       result.others.empty() ? "" : "; what was found instead stands above")
                         : std::string("The schedule ran to its end; it records no finding.\n");
    }
    if (i == 0) {
      for (const std::string& step : result.steps) console.print(step + "\n");
      console.print(report);
      first_report = report;
    }
    if (result.finding && report == first_report) ++came_back;
  }
  if (options.times > 1) {
    console.print(fmt::format("{} of {} replays gave the same report.\n", came_back, options.times));
  }
  return came_back > 0 ? kFound : kNothingFound;
}

}  // namespace

Command add_replay(CLI::App& app, const CommandLine&) {
  CLI::App* const command = app.add_subcommand("replay", "run one schedule again: the same finding, every time");
  set_usage(*command, "ravel replay SCHEDULE [options]");
  command->footer(
      "Examples:\n"
      "  ravel replay .ravel/1-deadlock.ravel           the report that ravel run printed\n"
      "  ravel replay .ravel/1-deadlock.ravel --trace   and every operation that led there\n"
      "  ravel replay .ravel/1-deadlock.ravel --gdb     the same in gdb, stopped at the failure\n"
      "Exit codes: 1 the finding came back, 0 it did not, 2 usage or environment, 3 internal error.");
  auto options = std::make_shared<ReplayCommandOptions>();
  command->add_option("SCHEDULE", options->schedule, "a file that ravel run wrote")->required()->option_text(" ");
  add_carrier_option(*command, options->carrier);
  add_timeout_option(*command, options->timeout);
  command->add_flag("--trace", options->trace, "print one line per operation");
  command->add_flag("--gdb", options->gdb, "run it in gdb on the thread carrier, stopped at the failure");
  command->add_option("--times", options->times, "replay so often and compare the reports [1]")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, ~std::uint64_t{0} >> 1));
  command->add_flag("--no-color", options->no_color, "no colours (also: NO_COLOR in the environment)");
  return [options] { return replay(*options); };
}

}  // namespace ravel
