// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_comparison.h"

#include <utility>

#include <fmt/format.h>

#include "driver/futures/future_runner.h"
#include "driver/replay/replay.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

Result<PerformedExecution> run_again(FutureRunner& runner, const Schedule& schedule) {
  return runner.perform({strict_replay_plan(schedule.plan), schedule.decisions});
}

std::string output_line(const char* who, const std::string& output) {
  if (output.empty()) return {};
  return fmt::format("  {} writes: {}{}", who, output, output.ends_with('\n') ? "" : "\n");
}

}  // namespace

Result<FutureComparison> compare_futures(const Schedule& failing, const Schedule& passing,
                                         const TargetSettings& settings) {
  FutureRunner runner(settings);
  const auto bad = run_again(runner, failing);
  if (!bad.is_ok()) return bad.status();
  const auto good = run_again(runner, passing);
  if (!good.is_ok()) return good.status();
  if (bad.value().findings.empty() || !good.value().findings.empty()) {
    return Status::trouble(
        bad.value().findings.empty() ? "the future that failed passes now" : "the future that passed fails now",
        "the program has changed: make the table again with `ravel futures`");
  }
  FutureComparison result;
  result.kind = finding_name(bad.value().findings[0].kind);
  result.message = bad.value().findings[0].message;
  result.failing_output = bad.value().record.output;
  result.passing_output = good.value().record.output;
  result.reads = differences(bad.value().seen, good.value().seen);

  Replay replay(failing, settings, "");
  auto shrunk = replay.shrink(ShrinkBudget{}, true);
  if (!shrunk.is_ok()) return shrunk.status();
  if (shrunk.value() && shrunk.value()->cause) result.deciding = replay.explain(*shrunk.value()).summary;
  return result;
}

std::string text_of_comparison(const FutureComparison& comparison, const std::string& failing,
                               const std::string& passing) {
  std::string text = fmt::format("{} finds {}: {}\n", failing, comparison.kind, comparison.message);
  text += output_line("it", comparison.failing_output);
  text += fmt::format("{} passes\n", passing) + output_line("it", comparison.passing_output);
  if (comparison.reads.empty()) {
    text += "\nEvery read that both made saw the same write.\n";
  } else {
    text += fmt::format("\n{} another write in the one that fails:\n",
                        counted(comparison.reads.size(), "read") + (comparison.reads.size() == 1 ? " sees" : " see"));
    for (const ReadDifference& read : comparison.reads) text += fmt::format("  {}\n", read.text());
  }
  if (!comparison.deciding.empty()) {
    text += "\nWhat decides:\n";
    for (const std::string& sentence : comparison.deciding) text += fmt::format("  {}\n", sentence);
  }
  return text;
}

}  // namespace ravel
