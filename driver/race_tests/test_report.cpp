// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/test_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/campaign_result.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

std::size_t failed_in(const TestSummary& summary) {
  return static_cast<std::size_t>(
      std::count_if(summary.outcomes.begin(), summary.outcomes.end(),
                    [&](const TestOutcome& one) { return !has_passed(one.result, summary.hunt); }));
}

std::uint64_t executions_of(const TestSummary& summary) {
  std::uint64_t all = 0;
  for (const TestOutcome& one : summary.outcomes) all += one.result.repeats;
  return all;
}

// What the user should read about one test, one sentence each.
std::vector<std::string> sentences_of(const TestOutcome& outcome, bool hunt) {
  const TestRunResult& result = outcome.result;
  const bool passed = has_passed(result, hunt);
  std::vector<std::string> sentences;
  if (!passed && !hunt && result.reported > 0) sentences.push_back(result.first_report);
  if (!passed && !hunt && result.others > 0) {
    sentences.push_back(
        fmt::format("in {} of {} something else: {}", result.others, result.repeats, result.first_other));
  }
  if (result.impossible > 0) {
    sentences.push_back(fmt::format("in {} of {} the order that the test forces was not possible: {}",
                                    result.impossible, result.repeats, result.first_wait));
  }
  if (!passed && hunt && result.others > 0) {
    sentences.push_back(
        fmt::format("reported instead, in {} of {}: {}", result.others, result.repeats, result.first_other));
  }
  if (!passed && hunt && result.impossible == 0 && result.others == 0) {
    sentences.push_back(
        fmt::format("in {} of {} nothing was reported", result.repeats - result.reported, result.repeats));
  }
  return sentences;
}

}  // namespace

bool has_passed(const TestRunResult& result, bool hunt) {
  if (result.repeats == 0) return false;
  return hunt ? result.reported == result.repeats : result.reported == 0 && result.others == 0;
}

std::string message_of(const TestOutcome& outcome, bool hunt) {
  std::string text;
  for (const std::string& sentence : sentences_of(outcome, hunt)) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

std::string text_of_test(const TestOutcome& outcome, bool hunt, std::size_t width) {
  const TestRunResult& result = outcome.result;
  const bool passed = has_passed(result, hunt);
  std::string text = fmt::format("{:{}}  {}  {} in {} of {}\n", outcome.test.name, width, passed ? "passed" : "FAILED",
                                 outcome.test.expected ? "reported" : "failed", result.reported, result.repeats);
  for (const std::string& sentence : sentences_of(outcome, hunt)) text += fmt::format("  {}\n", sentence);
  if (!passed && !result.schedule.empty()) text += fmt::format("  Replay: ravel replay {}\n", result.schedule);
  for (const std::string& note : result.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

std::string text_of_test_summary(const TestSummary& summary) {
  const std::size_t failed = failed_in(summary);
  return fmt::format("{} under {}: {}, {}; {:.2f} s\n",
                     counted(summary.outcomes.size(), summary.hunt ? "hunting test" : "regression test"),
                     detector_name(summary.detector), failed == 0 ? "all passed" : fmt::format("{} FAILED", failed),
                     counted(executions_of(summary), summary.detector == Detector::ravel ? "execution" : "run"),
                     summary.seconds);
}

std::string json_of_tests(const TestSummary& summary) {
  const std::uint64_t executions = executions_of(summary);
  const bool controlled = summary.detector == Detector::ravel;
  Json report = {
      {"ravel", kRavelVersion},
      {"command", "test"},
      {"program", summary.program},
      {"strategy", controlled ? Json("random") : Json(nullptr)},
      {"seed", summary.seed},
      {"executions", executions},
      {"seconds", summary.seconds},
      {"executions_per_second", summary.seconds > 0 ? static_cast<double>(executions) / summary.seconds : 0.0},
      {"detector", detector_name(summary.detector)},
      {"hunt", summary.hunt}};
  report["failed"] = failed_in(summary);
  report["tests"] = Json::array();
  report["findings"] = Json::array();
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  for (const TestOutcome& one : summary.outcomes) {
    const TestRunResult& result = one.result;
    Json entry = {{"name", one.test.name}, {"repeats", result.repeats}, {"reported", result.reported}};
    entry["passed"] = has_passed(result, summary.hunt);
    entry["impossible"] = result.impossible;
    entry["others"] = result.others;
    entry["message"] = message_of(one, summary.hunt);
    entry["expected"] = one.test.expected ? Json(finding_name(*one.test.expected)) : Json(nullptr);
    entry["report"] = or_null(result.first_report);
    entry["wait"] = or_null(result.first_wait);
    entry["other"] = or_null(result.first_other);
    entry["schedule"] = or_null(result.schedule);
    entry["first_because"] = or_null(one.reason);
    entry["notes"] = result.notes;
    report["tests"].push_back(std::move(entry));
    for (const ReportedFinding& finding : result.findings) {
      Json found = Json::parse(json_of_finding(finding));
      found["test"] = one.test.name;
      report["findings"].push_back(std::move(found));
    }
  }
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CommandResult result_of_tests(const TestSummary& summary) {
  CommandResult result;
  result.command = "test";
  result.program = summary.program;
  result.verdict = text_of_test_summary(summary);
  result.verdict.pop_back();
  result.seconds = summary.seconds;
  for (const TestOutcome& one : summary.outcomes) {
    TestedCase& tested = result.cases.emplace_back();
    tested.name = one.test.name;
    if (!has_passed(one.result, summary.hunt)) {
      tested.failure = {one.test.expected ? finding_name(*one.test.expected) : "failure", message_of(one, summary.hunt),
                        text_of_test(one, summary.hunt, one.test.name.size())};
    }
    for (const std::string& note : one.result.notes) result.notes.push_back(one.test.name + ": " + note);
    for (const ReportedFinding& finding : one.result.findings) {
      result.findings.push_back(finding);
      result.findings.back().part = one.test.name;
    }
  }
  return result;
}

}  // namespace ravel
