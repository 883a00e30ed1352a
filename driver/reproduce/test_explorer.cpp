// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/test_explorer.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/campaign/exhaustive_first.h"
#include "driver/target/program_file.h"

namespace ravel {
namespace {

// Ends the campaign at the finding that was looked for.
class Watch final : public CampaignObserver {
 public:
  Watch(const CrashTarget& target, StackMatch wanted) : target_(target), wanted_(wanted) {}

  void on_progress(const CampaignProgress&) override {}
  void on_finding(const ReportedFinding& finding) override {
    const StackMatch match = target_.match(finding.finding);
    if (match >= wanted_) {
      // A dangling pointer is as good as a null one, unless the test shows the null one as well.
      const bool same_kind = !target_.failure.kind || *target_.failure.kind == finding.finding.kind;
      if (same_kind || found_id == 0) found_id = finding.id;
      if (same_kind) found.store(true, std::memory_order_relaxed);
    } else if (match == StackMatch::functions && near_id == 0) {
      near_id = finding.id;
    }
  }

  std::atomic<bool> found = false;
  std::uint32_t found_id = 0;
  std::uint32_t near_id = 0;

 private:
  const CrashTarget& target_;
  StackMatch wanted_;
};

}  // namespace

TargetSettings target_settings(const std::vector<std::string>& words, const ExploreSettings& settings, Status& status) {
  TargetSettings target;
  const auto opened = open_program(words, target);
  status = opened.is_ok() ? Status::ok() : opened.status();
  target.directory = settings.directory;
  target.timeout = settings.timeout;
  target.deadline = settings.deadline;
  target.input = settings.input;
  target.launch.races = 0;
  target.launch.memory_model = MemoryModel::sc;
  return target;
}

Result<ExploredTest> explore_test(const std::vector<std::string>& words, const CrashTarget& target,
                                  const ExploreSettings& settings) {
  Status status = Status::ok();
  Watch watch(target, settings.wanted);
  CampaignOptions options;
  options.target = target_settings(words, settings, status);
  if (!status.is_ok()) return status;
  // Found, the campaign ends as if it was interrupted.
  options.target.deadline = Deadline(watch.found).before(settings.deadline.end());
  options.executions = settings.executions;
  options.seed = settings.seed;
  options.keep_going = true;
  options.verify = false;
  options.shrink = settings.shrink;
  options.out = settings.out;
  BudgetUse use;
  options.planner = [&] {
    return std::make_unique<ExhaustiveFirst>(settings.seed, settings.executions / 2,
                                             ExhaustiveFirst::Clock::time_point::max(), use);
  };
  const CampaignEnd end = Campaign(options, watch).run();
  if (!end.internal_error.empty()) {
    return Status::trouble("internal error: " + end.internal_error, "please report it");
  }
  ExploredTest explored;
  explored.executions = end.result.executions;
  explored.complete = end.result.complete;
  for (const ReportedFinding& finding : end.result.findings) {
    if (finding.id == watch.found_id) {
      explored.match = finding;
    } else if (finding.id == watch.near_id) {
      explored.near = finding;
    } else {
      explored.others.push_back(finding);
    }
  }
  const bool none = !explored.match && !explored.near && explored.others.empty();
  if (!end.trouble.is_ok() && none && !settings.deadline.has_come()) return end.trouble;
  return explored;
}

}  // namespace ravel
