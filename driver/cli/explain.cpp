// SPDX-License-Identifier: Apache-2.0
// `ravel shrink` and `ravel explain`: the shortest schedule that shows the finding, and what happens in it.
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/report_files.h"
#include "driver/cli/shared_options.h"
#include "driver/replay/replay.h"
#include "reports/explanation_text.h"
#include "reports/json_report.h"
#include "reports/text_report.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

struct StoryOptions {
  std::string schedule;
  std::string out;
  ShrinkBudget budget;
  std::chrono::nanoseconds timeout = TargetSettings{}.timeout;
  std::size_t lines = ExplanationOptions{}.lines;
  bool full = false;
  bool shrink = true;
  OutputOptions output;
};

// "dir/1-deadlock.ravel" -> "dir/1-deadlock-shrunk.ravel".
std::string shrunk_path(const std::string& schedule) {
  std::filesystem::path path(schedule);
  const std::string extension = path.extension().string();
  path.replace_extension();
  return path.string() + "-shrunk" + extension;
}

// What both commands have in common: find the execution to report, the schedule's own or a shorter one.
Result<int> tell(const StoryOptions& options, Console& console,
                 const std::function<Result<int>(Replay&, const ShrunkFinding&)>& about) {
  StandardInput input = StandardInput::none();
  auto opened = open_finding(options.schedule, options.timeout, input, console);
  if (!opened.is_ok()) return opened.status();
  const FindingKind expected = *opened.value().schedule.finding;
  Replay replay(std::move(opened.value().schedule), opened.value().settings, options.schedule);
  for (const std::string& warning : replay.warnings()) console.warn(warning);
  const auto shrunk = replay.shrink(options.budget, options.shrink);
  if (!shrunk.is_ok()) return shrunk.status();
  if (shrunk.value()) return about(replay, *shrunk.value());
  console.print(fmt::format("The {} of this schedule did not come back.\n", finding_name(expected)));
  return kNothingFound;
}

Result<int> shrink_schedule(const StoryOptions& options) {
  Console console(options.output);
  // Before the directory changes.
  std::error_code error;
  const std::string out = options.out.empty() ? shrunk_path(options.schedule) : options.out;
  const std::string target = std::filesystem::absolute(out, error).string();
  return tell(options, console, [&](Replay& replay, const ShrunkFinding& shrunk) -> Result<int> {
    const Schedule schedule = replay.schedule_of(shrunk);
    if (Status status = write_schedule(schedule, target); !status.is_ok()) return status;
    console.print(fmt::format("{}: {} became {}, {}, in {}\n  written to {}\n", finding_name(schedule.finding.value()),
                              counted(shrunk.preemptions_before, "preemption"), shrunk.record.summary.preemptions,
                              counted(shrunk.record.summary.steps, "step"), counted(shrunk.executions, "execution"),
                              out));
    return kFound;
  });
}

Result<int> explain_schedule(const StoryOptions& options) {
  Console console(options.output);
  const ReportFiles reports(options.output);
  CommandResult result;
  result.command = "explain";
  const auto began = std::chrono::steady_clock::now();
  const auto told = tell(options, console, [&](Replay& replay, const ShrunkFinding& shrunk) {
    ExplanationOptions text;
    text.color = console.color();
    text.columns = console.width();
    text.lines = options.full ? 0 : options.lines;
    const ReportedFinding& finding = result.findings.emplace_back(replay.report(shrunk));
    console.print(text_of_explanation(*finding.explanation, text));
    result.program = replay.program();
    return kFound;
  });
  if (!told.is_ok()) return told;
  result.verdict = result.findings.empty() ? "the finding did not come back" : "the finding came back";
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const bool written = reports.write(
      console, [&] { return result; }, [&] { return json_report(result); });
  return written ? told.value() : static_cast<int>(kTrouble);
}

}  // namespace

Command define_shrink(Options& options, const CommandLine&) {
  auto chosen = std::make_shared<StoryOptions>();
  chosen->budget.executions = ~std::uint64_t{0};  // the time is the limit
  options.usage("ravel shrink [options] SCHEDULE");
  define_schedule(options, chosen->schedule);
  options.text("--out FILE", chosen->out, "where to write the shorter schedule")
      .or_else("SCHEDULE with -shrunk in its name");
  define_shrink_time(options, chosen->budget.time);
  define_timeout(options, chosen->timeout);
  define_color(options, chosen->output.color);
  options.notes(
      "Examples:\n"
      "  ravel shrink .ravel/2-deadlock.ravel             writes .ravel/2-deadlock-shrunk.ravel\n"
      "  ravel shrink long.ravel --out short.ravel --time 60s\n\n"
      "Exit codes: 1 the finding came back and was shrunk, 0 it did not come back, 2 usage or environment.");
  return [chosen] { return shrink_schedule(*chosen); };
}

Command define_explain(Options& options, const CommandLine&) {
  auto chosen = std::make_shared<StoryOptions>();
  options.usage("ravel explain [options] SCHEDULE");
  define_schedule(options, chosen->schedule);
  options.flag("--no-shrink", chosen->shrink, "explain this schedule, even if a shorter one shows the same");
  options.flag("--full", chosen->full, "show every step that another task could notice");
  options.number("--lines N", chosen->lines, "limit the explanation to this many lines", 20, 1'000'000);
  define_shrink_time(options, chosen->budget.time);
  define_timeout(options, chosen->timeout);
  define_reports(options, chosen->output);
  define_color(options, chosen->output.color);
  options.notes(
      "Examples:\n"
      "  ravel explain .ravel/1-assertion.ravel\n"
      "  ravel explain .ravel/1-assertion.ravel --full   every step that another task could notice\n"
      "  ravel explain .ravel/1-assertion.ravel --html page.html   the same in a browser, step by step\n\n"
      "Exit codes: 1 the finding came back, 0 it did not, 2 usage or environment, 3 internal error.");
  return [chosen] { return explain_schedule(*chosen); };
}

}  // namespace ravel
