// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

// A thousand runs justify no more than three digits.
std::string percent(double share) {
  const double value = 100 * share;
  if (value == 0 || value >= 99.95) return fmt::format("{:.0f}%", value);
  return value >= 10 ? fmt::format("{:.1f}%", value) : fmt::format("{:.2g}%", value);
}

std::string rate_text(const FailureRate& rate) {
  const Interval interval = rate.interval();
  return fmt::format("{} of {} failed: {} (95% interval: {} to {})", rate.failures, counted(rate.runs, "run"),
                     percent(rate.rate()), percent(interval.low), percent(interval.high));
}

std::string painted(const std::string& text, const char* code, bool color) {
  return color ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string indented(std::string_view text, std::size_t most_lines) {
  std::string result;
  std::size_t lines = 0;
  while (!text.empty() && lines++ < most_lines) {
    const std::size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c >= 0 && c < ' ' && c != '\t'; }, '?');
    result += fmt::format("    | {}\n", line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return result;
}

std::string seen_text(const NoiseFailure& failure, const NoiseResult& result) {
  std::string text = fmt::format("  Seen in {} of {}, first in run {}", failure.seen.count,
                                 counted(result.runs(), "run"), failure.seen.first_execution);
  if (result.control) text += fmt::format("; {} of them without noise", failure.control_count);
  return text + ".\n";
}

// Where a thread of the run was: "T1 waits for T2 to end, at main.cpp:30".
std::string place_text(const ResolvedStack& stack) {
  std::string text = hold_and_wait_text(stack, Detail::complete);
  if (text.empty()) text = fmt::format("{} runs", task_text(stack.task, stack.task_name));
  const Frame* const frame = user_frame(stack.frames);
  if (frame == nullptr) return text;
  return fmt::format("{}, {} {}", text, stack.blocked ? "at" : "last seen at", location_text(*frame));
}

std::string coverage_line(const MethodSummary& coverage) {
  std::string text =
      fmt::format("coverage: {} of {} tasks of functions (interrupted, not interrupted), {} of {} pairs of functions",
                  coverage.tasks_covered, coverage.tasks, coverage.pairs_covered, coverage.pairs);
  if (coverage.single_threaded > 0) {
    text += fmt::format("; {} only ever single-threaded", counted(coverage.single_threaded, "function"));
  }
  if (!coverage.unreached.empty()) {
    text += fmt::format("; {} never reached", counted(coverage.unreached.size(), "synchronising function"));
  }
  return text + "\n";
}

std::string coverage_table(const MethodSummary& coverage) {
  std::size_t width = std::string_view("function").size();
  constexpr std::size_t kWidest = 60;
  for (const std::string& name : coverage.unreached) width = std::max(width, std::min(kWidest, name.size()));
  for (const MethodRow& row : coverage.rows) width = std::max(width, std::min(kWidest, row.function.size()));
  std::string text =
      fmt::format("{:<{}}  {:>11}  {:>15}  interrupted by\n", "function", width, "interrupted", "not interrupted");
  for (const MethodRow& row : coverage.rows) {
    if (!row.concurrent) {
      text += fmt::format("{:<{}}  only ever single-threaded\n", row.function, width);
      continue;
    }
    std::string by;
    for (const std::string& other : row.by) by += (by.empty() ? "" : ", ") + other;
    text += fmt::format("{:<{}}  {:>11}  {:>15}  {}\n", row.function, width,
                        row.interrupted == 0 ? "-" : counted(row.interrupted, "run"),
                        row.undisturbed == 0 ? "-" : counted(row.undisturbed, "run"), by.empty() ? "-" : by);
  }
  for (const std::string& name : coverage.unreached) text += fmt::format("{:<{}}  never reached\n", name, width);
  return text;
}

Json json_of(const FailureRate& rate) {
  const Interval interval = rate.interval();
  return {{"runs", rate.runs},
          {"failures", rate.failures},
          {"failure_rate", rate.rate()},
          {"interval", {interval.low, interval.high}}};
}

// The finding of the controlled execution, if the failure came back in one; otherwise what the run showed.
const ReportedFinding& shown_by(const NoiseFailure& failure) {
  const bool came_back = failure.reproduction && failure.reproduction->came_back;
  return came_back ? *failure.reproduction->finding : failure.seen;
}

Json json_of(const NoiseFailure& failure) {
  ReportedFinding told = shown_by(failure);
  told.id = failure.seen.id;
  Json entry = Json::parse(json_of_finding(told));
  // What the runs showed, whatever the controlled executions showed.
  entry["kind"] = finding_name(failure.seen.finding.kind);
  entry["message"] = failure.seen.finding.message;
  entry["count"] = failure.seen.count;
  entry["first_run"] = failure.seen.first_execution;
  entry["control_count"] = failure.control_count;
  if (!failure.detail.empty()) entry["detail"] = failure.detail;
  entry["reproduction"] = nullptr;
  if (failure.reproduction) {
    const ReproductionResult& again = *failure.reproduction;
    Json result = {{"came_back", again.came_back},
                   {"executions", again.executions},
                   {"searched", again.searched},
                   {"kind", again.finding ? Json(finding_name(again.finding->finding.kind)) : Json(nullptr)}};
    if (again.tries > 0) result["replays"] = {again.again, again.tries};
    if (!again.reason.empty()) result["reason"] = again.reason;
    result["others"] = Json::array();
    for (const ReportedFinding& other : again.others) result["others"].push_back(Json::parse(json_of_finding(other)));
    entry["reproduction"] = std::move(result);
  }
  return entry;
}

}  // namespace

std::string text_of_failure(const NoiseFailure& failure, const NoiseResult& result, const NoiseTextOptions& options) {
  TextOptions text_options;
  text_options.color = options.color;
  const std::optional<ReproductionResult>& again = failure.reproduction;
  std::string text;
  if (again && again->came_back) {
    ReportedFinding told = *again->finding;
    told.first_execution = 0;  // an execution of the reproduction, not a run: mentioned below
    text = text_of_finding(told, text_options);
    text += seen_text(failure, result);
    text += again->searched
                ? fmt::format("  Its record did not lead back to it; a search under control did, after {}.\n",
                              counted(again->executions, "execution"))
                : fmt::format("  Its record was followed under control: it came back within {}.\n",
                              counted(again->executions, "execution"));
    const FindingKind seen = failure.seen.finding.kind;
    if (again->finding->finding.kind != seen) {
      text += fmt::format("  The runs showed it as {}: {}\n", finding_name(seen), failure.seen.finding.message);
      for (const ResolvedStack& stack : failure.seen.finding.stacks) text += "    " + place_text(stack) + "\n";
    }
    if (again->tries > 0) text += fmt::format("  It came back in {} of {} replays.\n", again->again, again->tries);
  } else {
    text_options.evidence = false;
    text = text_of_finding(failure.seen, text_options);
    if (!failure.detail.empty()) text += "\n" + indented(failure.detail, 10);
    text += "\n" + seen_text(failure, result);
    if (again) text += fmt::format("  There is no schedule: {}.\n", again->reason);
    if (!again) text += "  There is no schedule: only the first few different failures are followed under control.\n";
  }
  if (again) {
    for (const ReportedFinding& other : again->others) {
      text += fmt::format("  Found on the way: {}: {} ({})\n", finding_name(other.finding.kind), other.finding.message,
                          other.schedule_path.empty() ? "no schedule" : other.schedule_path);
    }
  }
  return text;
}

std::string text_of_race(const ReportedFinding& race, const NoiseTextOptions& options) {
  TextOptions text_options;
  text_options.color = options.color;
  ReportedFinding told = race;
  told.first_execution = 0;  // of the execution that followed a record, not of a run
  return text_of_finding(told, text_options) + "  Found under control, near the record of a run that passed.\n";
}

std::string text_of_noise_summary(const NoiseResult& result, const NoiseTextOptions& options) {
  std::string text;
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  if (options.coverage_table && !result.coverage.rows.empty()) text += coverage_table(result.coverage) + "\n";
  std::string made;
  for (unsigned i = 0; i < kNoiseKinds; ++i) {
    if (result.noises[i] > 0)
      made += fmt::format("{}{} {}", made.empty() ? "" : ", ", result.noises[i], kNoiseNames[i]);
  }
  text += fmt::format("noise: {}, at {}\n", made.empty() ? "none" : made, counted(result.events, "concurrent event"));
  text += coverage_line(result.coverage);
  if (result.race_executions > 0) {
    text += fmt::format("races: {}, in {} near the records of runs\n", counted(result.races.size(), "finding"),
                        counted(result.race_executions, "controlled execution"));
  }
  if (result.control) text += fmt::format("without noise: {}\n", rate_text(*result.control));
  const bool failed = result.seeded.failures > 0 || (result.control && result.control->failures > 0);
  const std::string rate = (result.control ? "with noise: " : "") + rate_text(result.seeded);
  text += painted(rate, failed ? "1;31" : "1;32", options.color);
  text += fmt::format("; {:.2f} s ({:.1f} runs per second)\n", result.seconds, result.runs_per_second());
  return text;
}

std::string json_of_noise(const NoiseResult& result) {
  Json report = {{"ravel", kRavelVersion}, {"command", "noise"}, {"program", result.program}, {"seed", result.seed}};
  report.update(json_of(result.seeded));
  report["control"] = result.control ? json_of(*result.control) : Json(nullptr);
  report["seconds"] = result.seconds;
  report["runs_per_second"] = result.runs_per_second();
  report["carrier"] = "free";
  report["instrumented"] = result.instrumented;
  report["recorded"] = result.recorded;
  report["events"] = result.events;
  for (unsigned i = 0; i < kNoiseKinds; ++i) report["noises"][kNoiseNames[i]] = result.noises[i];
  const MethodSummary& coverage = result.coverage;
  Json& covered = report["coverage"];
  covered["methods"] = {coverage.tasks_covered, coverage.tasks};
  covered["pairs"] = {coverage.pairs_covered, coverage.pairs};
  covered["single_threaded"] = coverage.single_threaded;
  covered["unreached"] = coverage.unreached;
  covered["file"] = coverage.rows.empty() || result.coverage_file.empty() ? Json(nullptr) : Json(result.coverage_file);
  covered["functions"] = Json::array();
  for (const MethodRow& row : coverage.rows) {
    covered["functions"].push_back({{"function", row.function},
                                    {"concurrent", row.concurrent},
                                    {"interrupted", row.interrupted},
                                    {"undisturbed", row.undisturbed},
                                    {"by", row.by}});
  }
  report["notes"] = result.notes;
  report["findings"] = Json::array();
  for (const NoiseFailure& failure : result.failures) report["findings"].push_back(json_of(failure));
  for (const ReportedFinding& race : result.races) report["findings"].push_back(Json::parse(json_of_finding(race)));
  report["race_executions"] = result.race_executions;
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CommandResult result_of_noise(const NoiseResult& noise) {
  CommandResult result;
  result.command = "noise";
  result.program = noise.program;
  result.verdict = rate_text(noise.seeded);
  result.seconds = noise.seconds;
  result.notes = noise.notes;
  const auto add = [&](const ReportedFinding& shown, const ReportedFinding& seen, const std::string& told) {
    result.findings.push_back(shown);
    ReportedFinding& entry = result.findings.back();
    entry.id = seen.id;
    entry.first_execution = 0;  // of the reproduction: `shown` may be one of its executions, not a run
    entry.count = seen.count;
    const std::string kind = finding_name(seen.finding.kind);
    result.cases.push_back(
        {fmt::format("{} {}", kind, seen.id), noise.seconds, TestFailure{kind, seen.finding.message, told}});
  };
  for (const NoiseFailure& failure : noise.failures) {
    add(shown_by(failure), failure.seen, text_of_failure(failure, noise, {}));
  }
  for (const ReportedFinding& race : noise.races) add(race, race, text_of_race(race, {}));
  if (result.cases.empty()) result.cases.push_back({counted(noise.runs(), "run"), noise.seconds});
  return result;
}

}  // namespace ravel
