// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/execution_pool.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "strategies/registry.h"

namespace ravel {
namespace {

PoolOptions with_deadline(PoolOptions options) {
  options.target.deadline = options.target.deadline.within(options.time);
  return options;
}

}  // namespace

ExecutionPool::ExecutionPool(PoolOptions options)
    : options_(with_deadline(std::move(options))),
      runner_(options_.target),
      files_((std::filesystem::path(options_.out) / "futures").string()) {}

ExecutionPool::Clock::time_point ExecutionPool::after_share(double share) const {
  const Clock::time_point now = Clock::now();
  return now + std::chrono::duration_cast<Clock::duration>((deadline().end() - now) * share);
}

bool ExecutionPool::out_of_budget() const { return made_ >= options_.executions || deadline().has_come(); }

Result<std::size_t> ExecutionPool::run(const std::vector<std::uint64_t>& directions) {
  auto performed = runner_.perform(directions);
  if (!performed.is_ok()) return performed.status();
  ++made_;
  if (options_.progress) options_.progress(runner_.executions());
  return keep(std::move(performed.value()));
}

Result<bool> ExecutionPool::explore(const char* strategy, std::uint64_t most, double share_of_time,
                                    const std::function<Visit(PerformedExecution&)>& visit) {
  const std::unique_ptr<Planner> planner = make_planner(strategy, 1);
  const Clock::time_point end = after_share(share_of_time);
  for (std::uint64_t i = 0; i < most && !planner->finished(); ++i) {
    if (Clock::now() >= end || !planner->ready()) return false;
    const PlannedExecution planned = planner->next(i);
    auto performed = runner_.perform(planned);
    if (!performed.is_ok() && deadline().has_come()) return false;
    if (!performed.is_ok()) return performed.status();
    if (options_.progress) options_.progress(runner_.executions());
    ExecutionView view = runner_.view();
    view.failed = !performed.value().findings.empty();
    planner->learn(planned, view);
    if (visit(performed.value()) == Visit::stop) return false;
  }
  return planner->finished() && planner->complete();
}

std::size_t ExecutionPool::keep(PerformedExecution performed) {
  const std::size_t index = kept_.size();
  for (const ResolvedFinding& finding : performed.findings) signatures_.insert(finding.signature);
  const Result<std::string> saved =
      files_.write(runner_.schedule_of(performed, index), fmt::format("{}.ravel", index + 1));
  schedules_.push_back(saved.is_ok() ? saved.value() : "");
  kept_.push_back(std::move(performed));
  return index;
}

bool ExecutionPool::has_new_finding(const PerformedExecution& performed) const {
  return std::any_of(performed.findings.begin(), performed.findings.end(),
                     [&](const ResolvedFinding& finding) { return !signatures_.contains(finding.signature); });
}

}  // namespace ravel
