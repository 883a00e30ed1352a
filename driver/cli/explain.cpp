// SPDX-License-Identifier: Apache-2.0
// `ravel shrink` and `ravel explain`: the shortest schedule that shows the finding, and what happens in it.
#include <unistd.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/options.h"
#include "reports/explanation_text.h"
#include "reports/text_report.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

struct StoryOptions {
  std::string schedule;
  std::string out;
  std::string time = "5s";
  std::string timeout = "10s";
  std::size_t lines = 60;
  bool full = false;
  bool no_shrink = false;
  bool no_color = false;
};

// "dir/1-deadlock.ravel" -> "dir/1-deadlock-shrunk.ravel".
std::string shrunk_path(const std::string& schedule) {
  std::filesystem::path path(schedule);
  const std::string extension = path.extension().string();
  path.replace_extension();
  return path.string() + "-shrunk" + extension;
}

// What both commands do before they part.
struct Opened {
  std::unique_ptr<StandardInput> input;
  std::unique_ptr<Replay> replay;
  std::optional<FindingKind> expected;
};

Result<Opened> open(const StoryOptions& options, Console& console) {
  auto opened = open_schedule(options.schedule, console);
  if (!opened.is_ok()) return opened.status();
  auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) return input.status();
  Opened result;
  result.input = std::make_unique<StandardInput>(std::move(input.value()));
  TargetSettings& settings = opened.value().settings;
  settings.timeout = duration_value(options.timeout);
  settings.interrupted = &catch_interrupts();
  settings.input = result.input.get();
  result.expected = opened.value().schedule.finding;
  if (!result.expected) {
    return Status::trouble(fmt::format("{} records no finding", options.schedule),
                           "ravel replay runs it; only findings can be shrunk and explained");
  }
  result.replay = std::make_unique<Replay>(std::move(opened.value().schedule), settings, options.schedule);
  for (const std::string& warning : result.replay->warnings()) fmt::print(stderr, "ravel: warning: {}\n", warning);
  return result;
}

int did_not_come_back(const Opened& opened, Console& console) {
  console.print(fmt::format("The {} of this schedule did not come back.\n", finding_name(*opened.expected)));
  return kNothingFound;
}

int shrink_schedule(const StoryOptions& options) {
  Console console({false, options.no_color, false});
  const auto give_up = [&](const Status& status) {
    console.trouble(status);
    return static_cast<int>(kTrouble);
  };
  // Before the directory changes.
  std::error_code error;
  const std::string out = options.out.empty() ? shrunk_path(options.schedule) : options.out;
  const std::string target = std::filesystem::absolute(out, error).string();
  auto opened = open(options, console);
  if (!opened.is_ok()) return give_up(opened.status());
  ShrinkBudget budget;
  budget.time = duration_value(options.time);
  budget.executions = ~std::uint64_t{0};
  auto shrunk = opened.value().replay->shrink(budget, true);
  if (!shrunk.is_ok()) return give_up(shrunk.status());
  if (!shrunk.value()) return did_not_come_back(opened.value(), console);
  const ShrunkFinding& result = *shrunk.value();
  const Schedule schedule = opened.value().replay->schedule_of(result);
  if (const Status status = write_schedule(schedule, target); !status.is_ok()) return give_up(status);
  console.print(fmt::format("{}: {} became {}, {}, in {}\n  written to {}\n", finding_name(schedule.finding.value()),
                            counted(result.preemptions_before, "preemption"), result.record.summary.preemptions,
                            counted(result.record.summary.steps, "step"), counted(result.executions, "execution"),
                            out));
  return kFound;
}

int explain_schedule(const StoryOptions& options) {
  Console console({false, options.no_color, false});
  const auto give_up = [&](const Status& status) {
    console.trouble(status);
    return static_cast<int>(kTrouble);
  };
  auto opened = open(options, console);
  if (!opened.is_ok()) return give_up(opened.status());
  ShrinkBudget budget;
  budget.time = duration_value(options.time);
  auto shrunk = opened.value().replay->shrink(budget, !options.no_shrink);
  if (!shrunk.is_ok()) return give_up(shrunk.status());
  if (!shrunk.value()) return did_not_come_back(opened.value(), console);
  ExplanationOptions text;
  text.color = console.color();
  text.lines = options.full ? 0 : options.lines;
  console.print(text_of_explanation(opened.value().replay->explain(*shrunk.value()), text));
  return kFound;
}

void add_common_options(CLI::App& command, StoryOptions& options) {
  command.add_option("SCHEDULE", options.schedule, "a file that ravel run wrote")->required()->option_text(" ");
  add_duration_option(command, "--time", options.time, "limit of the search for a shorter schedule [5s]");
  add_timeout_option(command, options.timeout);
  command.add_flag("--no-color", options.no_color, "no colours (also: NO_COLOR in the environment)");
}

}  // namespace

Command add_shrink(CLI::App& app, const CommandLine&) {
  CLI::App* const command =
      app.add_subcommand("shrink", "find the schedule with the fewest preemptions that shows the same finding");
  set_usage(*command, "ravel shrink SCHEDULE [options]");
  command->footer(
      "Examples:\n"
      "  ravel shrink .ravel/2-deadlock.ravel             writes .ravel/2-deadlock-shrunk.ravel\n"
      "  ravel shrink long.ravel --out short.ravel --time 60s\n"
      "Exit codes: 1 the finding came back and was shrunk, 0 it did not come back, 2 usage or environment.");
  auto options = std::make_shared<StoryOptions>();
  add_common_options(*command, *options);
  command->add_option("--out", options->out, "where to write it [SCHEDULE with -shrunk in its name]")
      ->option_text("FILE");
  return [options] { return shrink_schedule(*options); };
}

Command add_explain(CLI::App& app, const CommandLine&) {
  CLI::App* const command =
      app.add_subcommand("explain", "tell how a finding comes about: a column for each task, values, source lines");
  set_usage(*command, "ravel explain SCHEDULE [options]");
  command->footer(
      "Examples:\n"
      "  ravel explain .ravel/1-assertion.ravel\n"
      "  ravel explain .ravel/1-assertion.ravel --full   every step that another task could notice\n"
      "Exit codes: 1 the finding came back, 0 it did not, 2 usage or environment, 3 internal error.");
  auto options = std::make_shared<StoryOptions>();
  add_common_options(*command, *options);
  command->add_flag("--no-shrink", options->no_shrink, "explain this schedule, even if a shorter one shows the same");
  command->add_flag("--full", options->full, "every step that another task could notice");
  command->add_option("--lines", options->lines, "lines to fit into [60]")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{20}, std::size_t{1'000'000}));
  return [options] { return explain_schedule(*options); };
}

}  // namespace ravel
