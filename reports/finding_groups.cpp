// SPDX-License-Identifier: Apache-2.0
#include "reports/finding_groups.h"

#include <algorithm>
#include <set>
#include <string>

namespace ravel {
namespace {

// The memory as the sources name it: its variable, or where its heap block was allocated. Empty: unknown.
std::string memory_of(const ResolvedFinding& finding) {
  if (!finding.memory.variable.empty()) return finding.memory.variable;
  if (!finding.memory.heap || finding.memory.heap->allocated_at.empty()) return {};
  const Frame& frame = finding.memory.heap->allocated_at.front();
  return frame.function + "@" + frame.file + ":" + std::to_string(frame.line);
}

// The functions of the program that the tasks were in. Fewer than two: they do not tell.
std::set<std::string> functions_of(const ResolvedFinding& finding) {
  std::set<std::string> functions;
  for (const ResolvedStack& stack : finding.stacks) {
    if (!stack.frames.empty() && stack.frames.front().line != 0) functions.insert(stack.frames.front().function);
  }
  return functions;
}

// "bank::savings.balance" is part of "bank::savings".
bool is_part_of(const std::string& object, const std::string& variable) {
  return object.starts_with(variable) &&
         (object.size() == variable.size() || object[variable.size()] == '.' || object[variable.size()] == '[');
}

// The program failed because of the race: what decided was an access to the memory that it is about.
bool explains(const ReportedFinding& race, const ReportedFinding& failure) {
  const std::string& variable = race.finding.memory.variable;
  if (race.finding.kind != FindingKind::data_race || variable.empty() || !failure.explanation) return false;
  if (weight_of(failure.finding.kind) != FindingWeight::failure || is_about_memory(failure.finding.kind)) return false;
  const std::vector<ExplainedStep>& steps = failure.explanation->steps;
  return std::any_of(steps.begin(), steps.end(), [&](const ExplainedStep& step) {
    return step.weight == Weight::cause && is_part_of(step.object, variable);
  });
}

bool have_one_cause(const ReportedFinding& a, const ReportedFinding& b) {
  if (explains(a, b) || explains(b, a)) return true;
  if (is_about_memory(a.finding.kind) && is_about_memory(b.finding.kind)) {
    const std::string memory = memory_of(a.finding);
    if (!memory.empty() && memory == memory_of(b.finding)) return true;
    const std::set<std::string> functions = functions_of(a.finding);
    return functions.size() > 1 && functions == functions_of(b.finding);
  }
  // An exit code or a lock that was never released comes from what went wrong before it in the same execution.
  const auto follows = [](const ReportedFinding& one, const ReportedFinding& other) {
    const bool is_consequence =
        one.finding.kind == FindingKind::exit_code || one.finding.kind == FindingKind::leak_of_lock;
    return is_consequence && weight_of(other.finding.kind) == FindingWeight::failure &&
           one.first_execution == other.first_execution;
  };
  return follows(a, b) || follows(b, a);
}

}  // namespace

FindingWeight weight_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::deadlock:
    case FindingKind::lost_wakeup:
    case FindingKind::livelock:
    case FindingKind::assertion:
    case FindingKind::abort:
    case FindingKind::signal:
    case FindingKind::uncaught_exception:
    case FindingKind::use_after_free:
    case FindingKind::double_free:
    case FindingKind::timeout:
    case FindingKind::user:
    case FindingKind::wrong_output:
      return FindingWeight::failure;
    case FindingKind::data_race:
    case FindingKind::uninitialised_read:
    case FindingKind::lock_misuse:
      return FindingWeight::flaw;
    case FindingKind::bad_free:
    case FindingKind::leak_of_lock:
    case FindingKind::exit_code:
      return FindingWeight::sign;
  }
  return FindingWeight::failure;
}

std::vector<FindingGroup> group_findings(const std::vector<ReportedFinding>& findings) {
  std::vector<std::size_t> order(findings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return weight_of(findings[a].finding.kind) < weight_of(findings[b].finding.kind);
  });
  std::vector<FindingGroup> groups;
  for (const std::size_t i : order) {
    const auto belongs = [&](const FindingGroup& group) {
      return have_one_cause(findings[group.first], findings[i]) ||
             std::any_of(group.others.begin(), group.others.end(),
                         [&](std::size_t other) { return have_one_cause(findings[other], findings[i]); });
    };
    const auto group = std::find_if(groups.begin(), groups.end(), belongs);
    if (group == groups.end()) {
      groups.push_back({i, {}});
    } else {
      group->others.push_back(i);
    }
  }
  // Whoever fixes the race need not look for what made the program fail.
  for (FindingGroup& group : groups) {
    const auto cause = std::find_if(group.others.begin(), group.others.end(), [&](std::size_t other) {
      return explains(findings[other], findings[group.first]);
    });
    if (cause == group.others.end()) continue;
    std::swap(group.first, *cause);
    std::sort(group.others.begin(), group.others.end());
  }
  return groups;
}

}  // namespace ravel
