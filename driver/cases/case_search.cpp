// SPDX-License-Identifier: Apache-2.0
#include "driver/cases/case_search.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace ravel {
namespace {

// A note about one case names it, one that several cases have is about the program.
void add_notes(std::vector<std::string>& notes, const std::vector<ExploredCase>& explored) {
  for (const ExploredCase& one : explored) {
    for (const std::string& note : one.end.result.notes) {
      const auto has_it = [&](const ExploredCase& other) {
        const std::vector<std::string>& theirs = other.end.result.notes;
        return std::find(theirs.begin(), theirs.end(), note) != theirs.end();
      };
      const bool general = explored.size() == 1 || std::count_if(explored.begin(), explored.end(), has_it) > 1;
      const std::string told = general ? note : fmt::format("{}: {}", one.name, note);
      if (std::find(notes.begin(), notes.end(), told) == notes.end()) notes.push_back(told);
    }
  }
}

bool has_finding_of(const CampaignResult& result, FindingKind kind) {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const ReportedFinding& finding) { return finding.finding.kind == kind; });
}

Status trouble_of(const CaseSearch& search, const Deadline& deadline) {
  std::string reasons;
  std::size_t without = 0;
  for (const ExploredCase& one : search.explored) {
    if (one.verdict() != CaseVerdict::no_verdict) continue;
    reasons += fmt::format("{}{}: {}", without++ == 0 ? "" : "\n  ", one.name, one.why_no_verdict());
  }
  if (search.left > 0) {
    return Status::trouble(
        fmt::format("{} not explored: {}", search.left == 1 ? "1 case was" : fmt::format("{} cases were", search.left),
                    deadline.reason()),
        reasons.empty() && !deadline.interrupted() ? "--time allows more" : reasons);
  }
  if (without == 0) return Status::ok();
  return Status::trouble(without == 1 ? "1 case has no verdict" : fmt::format("{} cases have no verdict", without),
                         reasons);
}

}  // namespace

const char* verdict_name(CaseVerdict verdict) {
  constexpr const char* kNames[] = {"passed", "failed", "no threads", "no verdict"};
  return kNames[static_cast<unsigned>(verdict)];
}

CaseVerdict ExploredCase::verdict() const {
  if (!end.result.findings.empty()) return CaseVerdict::failed;
  if (!end.trouble.is_ok() || !end.internal_error.empty() || !end.result.has_verdict()) return CaseVerdict::no_verdict;
  return end.result.without_tasks ? CaseVerdict::no_threads : CaseVerdict::passed;
}

std::string ExploredCase::why_no_verdict() const {
  if (!end.internal_error.empty()) return "an internal error of Ravel";
  if (!end.trouble.is_ok()) return end.trouble.what();
  if (end.result.executions > 0) return "every execution was cut (--max-steps)";
  return fmt::format("no execution came to its end{}",
                     interrupted ? ": it was interrupted" : " in its share of the time; --time allows more");
}

std::uint64_t share_of(std::uint64_t budget, std::size_t cases) {
  return budget == kNoLimit ? kNoLimit : std::max<std::uint64_t>(1, budget / std::max<std::size_t>(1, cases));
}

Deadline share_of(const Deadline& deadline, std::size_t cases) {
  if (deadline.end() == Deadline::Clock::time_point::max()) return deadline;
  const auto left = std::max(Deadline::Clock::duration::zero(), deadline.end() - Deadline::Clock::now());
  return deadline.within(left / static_cast<int>(std::max<std::size_t>(1, cases)));
}

CaseSearch explore_cases(const TestBinary& binary, const std::vector<std::string>& names, CampaignOptions options,
                         CampaignObserver& campaigns, CaseObserver& cases) {
  const auto began = Deadline::Clock::now();
  const Deadline deadline = options.target.deadline;
  std::uint64_t executions = options.executions;
  if (options.files == nullptr) options.files = std::make_shared<ScheduleFiles>(options.out);
  CaseSearch search;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (deadline.has_come()) {
      search.left = names.size() - i;
      break;
    }
    options.target.arguments = binary.command_line_of(names[i]);
    options.target.deadline = share_of(deadline, names.size() - i);
    options.executions = share_of(executions, names.size() - i);
    cases.on_case_begin(names[i], i + 1, names.size());
    search.explored.push_back({names[i], options.target.arguments, Campaign(options, campaigns).run(), false});
    ExploredCase& now = search.explored.back();
    CampaignResult& result = now.end.result;
    now.interrupted = deadline.interrupted();
    std::erase(result.notes, kNoteWithoutTasks);  // the verdict says it
    if (executions != kNoLimit) executions -= std::min(executions, result.executions);
    // Schedules are named by the numbers of their findings, so these go on.
    for (const ReportedFinding& finding : result.findings) options.ids_after = std::max(options.ids_after, finding.id);
    cases.on_case_end(now);
    if (options.expect && has_finding_of(result, *options.expect)) break;
  }
  search.seconds = std::chrono::duration<double>(Deadline::Clock::now() - began).count();
  return search;
}

CampaignEnd sum_of(const CaseSearch& search, const CampaignOptions& options) {
  CampaignEnd sum;
  CampaignResult& result = sum.result;
  result.program = options.target.arguments;
  result.strategy = options.strategy;
  result.seed = options.seed;
  result.carrier = carrier_name(options.target.launch.carrier);
  result.seconds = search.seconds;
  bool any_complete = false;
  bool all_complete = search.left == 0;
  result.verified_deterministic = true;
  result.unseen_probability = search.explored.empty() ? 1 : 0;
  for (const ExploredCase& one : search.explored) {
    const CampaignResult& part = one.end.result;
    result.executions += part.executions;
    result.cut += part.cut;
    result.steps += part.steps;
    result.distinct_orders += part.distinct_orders;
    result.unseen_probability = std::max(result.unseen_probability, part.without_tasks ? 0 : part.unseen_probability);
    any_complete = any_complete || part.complete;
    all_complete = all_complete && (part.complete || part.without_tasks);
    result.verified_deterministic =
        result.verified_deterministic && (part.verified_deterministic || part.without_tasks);
    result.instrumented = result.instrumented || part.instrumented;
    result.findings.insert(result.findings.end(), part.findings.begin(), part.findings.end());
    result.potential_deadlocks.insert(result.potential_deadlocks.end(), part.potential_deadlocks.begin(),
                                      part.potential_deadlocks.end());
    result.unclear_races.insert(result.unclear_races.end(), part.unclear_races.begin(), part.unclear_races.end());
    result.suppressed.insert(result.suppressed.end(), part.suppressed.begin(), part.suppressed.end());
    if (sum.internal_error.empty() && !one.end.internal_error.empty()) {
      sum.internal_error = fmt::format("in {}: {}", one.name, one.end.internal_error);
      sum.internal_schedule = one.end.internal_schedule;
    }
  }
  result.complete = any_complete && all_complete;
  add_notes(result.notes, search.explored);
  sum.trouble = trouble_of(search, options.target.deadline);
  return sum;
}

}  // namespace ravel
