// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/test_run.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/race_tests/detector_report.h"
#include "driver/race_tests/foreign_detector.h"
#include "driver/target/failure_words.h"
#include "driver/target/program_file.h"
#include "driver/target/schedule_builder.h"
#include "strategies/registry.h"

namespace ravel {
namespace {

// Names the test in the environment that the program inherits, and removes the name again.
class NamedTest {
 public:
  explicit NamedTest(const std::string& name) {
    if (const char* const before = std::getenv(kRaceTestVariable)) before_ = before;
    ::setenv(kRaceTestVariable, name.c_str(), 1);
  }
  ~NamedTest() {
    if (before_) {
      ::setenv(kRaceTestVariable, before_->c_str(), 1);
    } else {
      ::unsetenv(kRaceTestVariable);
    }
  }
  NamedTest(const NamedTest&) = delete;
  NamedTest& operator=(const NamedTest&) = delete;

 private:
  std::optional<std::string> before_;
};

// Every repeat is what the first execution with its own seed would be.
class RepeatPlanner final : public Planner {
 public:
  explicit RepeatPlanner(std::uint64_t seed) : seed_(seed) {}
  PlannedExecution next(std::uint64_t execution) override { return make_planner("random", seed_ + execution)->next(0); }
  void learn(const PlannedExecution&, const ExecutionView&) override {}

 private:
  std::uint64_t seed_;
};

// Counts one repeat by what it reported.
void count(TestRunResult& result, const WovenTest& test, const std::vector<DetectorReport>& reports) {
  const DetectorReport* first[3] = {nullptr, nullptr, nullptr};
  for (const DetectorReport& report : reports) {
    const DetectorReport*& one = first[static_cast<unsigned>(meaning_of(report, test))];
    if (one == nullptr) one = &report;
  }
  const auto [expected, impossible, other] = first;
  const auto keep = [](unsigned& number, std::string& sentence, const DetectorReport* report) {
    if (report == nullptr) return;
    ++number;
    if (sentence.empty()) sentence = sentence_of(*report);
  };
  ++result.repeats;
  keep(result.reported, result.first_report, expected);
  // A run that has shown what is expected need not reach the end of the order that was asked for.
  if (expected == nullptr) keep(result.impossible, result.first_wait, impossible);
  keep(result.others, result.first_other, other);
}

DetectorReport report_of(const ResolvedFinding& finding) {
  DetectorReport report;
  report.kind = finding.kind;
  report.sentence = finding.message;
  for (const ResolvedStack& stack : finding.stacks) {
    report.stacks.push_back(stack.whole.empty() ? stack.frames : stack.whole);
  }
  // A cycle of locks is a deadlock, whoever else waits.
  report.waits = is_stuck(finding.kind) && waiting_cycle(finding).empty() &&
                 std::any_of(finding.stacks.begin(), finding.stacks.end(), [](const ResolvedStack& stack) {
                   return stack.blocked && stack.kind == OperationKind::sync_wait;
                 });
  if (finding.kind != FindingKind::data_race) report.stacks.clear();  // the message says it all
  return report;
}

class Listener final : public CampaignObserver {
 public:
  void on_progress(const CampaignProgress&) override {}
  void on_execution_findings(const std::unordered_set<std::string>& signatures) override {
    executions.emplace_back(signatures.begin(), signatures.end());
  }
  void on_finding(const ReportedFinding&) override {}
  std::vector<std::vector<std::string>> executions;  // signatures
};

Result<TestRunResult> run_under_control(const WovenTest& test, const TestRunOptions& options) {
  std::vector<std::string> words = options.program;
  words.insert(words.end(), test.arguments.begin(), test.arguments.end());
  CampaignOptions campaign;
  if (const auto program = open_program(words, campaign.target); !program.is_ok()) return program.status();
  campaign.strategy = "random";
  campaign.planner = [seed = options.seed] { return std::make_unique<RepeatPlanner>(seed); };
  campaign.seed = options.seed;
  campaign.executions = options.repeats;
  campaign.target.timeout = options.timeout;
  campaign.keep_going = true;
  campaign.verify = false;
  campaign.steer = false;
  campaign.shrink = false;
  campaign.out = (std::filesystem::path(options.out) / test.name).string();  // not to overwrite other tests'
  campaign.target.deadline = options.deadline;

  const NamedTest named(test.name);
  Listener listener;
  CampaignEnd end = Campaign(campaign, listener).run();
  if (!end.trouble.is_ok()) return end.trouble;
  if (!end.internal_error.empty()) {
    return Status::trouble(fmt::format("an execution of {} failed inside Ravel: {}", test.name, end.internal_error),
                           end.internal_schedule.empty() ? "report this: it is a defect of Ravel"
                                                         : "report this with the file " + end.internal_schedule);
  }
  if (test.expected == FindingKind::data_race && !end.result.instrumented && end.result.executions > 0) {
    return Status::trouble(
        fmt::format("{} is not built with -fsanitize=thread, so its data races cannot be seen", options.program[0]),
        "compile and link the woven sources with `ravel c++`, or with -fsanitize=thread");
  }
  std::unordered_map<std::string, const ReportedFinding*> known;
  for (const ReportedFinding& finding : end.result.findings) known.emplace(finding.finding.signature, &finding);
  TestRunResult result;
  for (const std::vector<std::string>& signatures : listener.executions) {
    std::vector<const ReportedFinding*> findings;
    for (const std::string& signature : signatures) {
      const auto finding = known.find(signature);  // unreported findings do not count
      if (finding != known.end()) findings.push_back(finding->second);
    }
    // If the test's own assertions decide, a failure says more than a race on the way to it.
    std::sort(findings.begin(), findings.end(), [&](const ReportedFinding* a, const ReportedFinding* b) {
      const auto is_race = [&](const ReportedFinding* one) {
        return !test.expected && one->finding.kind == FindingKind::data_race;
      };
      return std::pair(is_race(a), a->id) < std::pair(is_race(b), b->id);
    });
    std::vector<DetectorReport> reports;
    for (const ReportedFinding* finding : findings) {
      reports.push_back(report_of(finding->finding));
      if (result.schedule.empty() && meaning_of(reports.back(), test) == Meaning::expected) {
        result.schedule = finding->schedule_path;
      }
    }
    count(result, test, reports);
  }
  for (ReportedFinding& finding : end.result.findings) {
    if (result.schedule.empty()) result.schedule = finding.schedule_path;
    result.findings.push_back(std::move(finding));
  }
  result.notes = std::move(end.result.notes);
  return result;
}

Result<TestRunResult> run_under_detector(const WovenTest& test, const TestRunOptions& options) {
  const auto detector = ForeignDetector::prepare(options);
  if (!detector.is_ok()) return detector.status();
  TestRunResult result;
  while (result.repeats < options.repeats) {
    if (options.deadline.has_come()) break;
    const auto reports = detector.value().run(test);
    if (!reports.is_ok()) return reports.status();
    if (options.deadline.has_come()) break;
    count(result, test, reports.value());
  }
  return result;
}

}  // namespace

Result<TestRunResult> run_race_test(const WovenTest& test, const TestRunOptions& options) {
  return options.detector == Detector::ravel ? run_under_control(test, options) : run_under_detector(test, options);
}

}  // namespace ravel
