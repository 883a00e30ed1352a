// SPDX-License-Identifier: Apache-2.0
// Campaign: many executions of one program under a strategy and a budget. It gets plans from the planner, has workers
// perform them, keeps one finding per signature, and confirms each by replay before reporting it.
//
// Who calls it: the commands in driver/cli, driver/noise and driver/race_tests. Thread safety: run() is called once; it
// starts its workers and joins them. The observer is called under the campaign's lock: one call at a time, from any
// worker.
//
// Invariants:
//  1. With one worker everything but the clock follows from the options: plans are made and learned from in order.
//  2. A finding is published only after its schedule was run again; the result of that is part of the finding.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <ravel/strategy.h>

#include "base/status.h"
#include "driver/campaign/suppressions.h"
#include "driver/findings/shrinker.h"
#include "driver/target/schedule_files.h"
#include "driver/target/target.h"
#include "model/finding.h"
#include "reports/campaign_result.h"

namespace ravel {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};  // of executions

struct CampaignOptions {
  TargetSettings target;  // launch.random_seed is derived from seed; when its deadline comes, the campaign ends
  std::string strategy = "auto";
  std::function<std::unique_ptr<Planner>()> planner;  // empty: the strategy's own; otherwise `strategy` is its name
  // Code locations whose accesses are points from the first execution on. Addresses: they are the same in all targets.
  std::vector<std::uint64_t> first_sites;
  std::uint64_t executions = 10'000;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  bool keep_going = false;
  std::optional<FindingKind> expect;  // continue until a finding of this kind
  bool verify = true;
  bool steer = true;   // towards deadlocks that the lock order suggests
  bool shrink = true;  // shorten and explain the schedule of the first finding of each kind
  ShrinkBudget shrink_budget{std::chrono::seconds(5), 3000};
  std::string out = ".ravel";
  std::shared_ptr<ScheduleFiles> files;  // in `out`; nullptr: the campaign's own. Campaigns of one command share them
  std::uint32_t ids_after = 0;           // findings are numbered from the next one on
  Suppressions suppressions;             // findings they match are counted, not reported
};

struct CampaignProgress {
  std::uint64_t executions = 0;
  std::uint64_t budget = 0;
  std::uint64_t findings = 0;
  std::uint64_t distinct_orders = 0;
  double seconds = 0;
  double estimate = 0;  // exhaustive strategies: expected total number of executions; 0: unknown
};

class CampaignObserver {
 public:
  virtual ~CampaignObserver() = default;

  // After every execution: must be cheap.
  virtual void on_progress(const CampaignProgress& progress) = 0;

  // After every execution that ended, once its findings have been examined: their signatures, without duplicates,
  // including suppressed ones.
  virtual void on_execution_findings(const std::unordered_set<std::string>& /*signatures*/) {}

  // At once, when the user should know it before the next finding. It is also among the notes of the result.
  virtual void on_note(const std::string& /*sentence*/) {}

  // Once per finding, after it has been confirmed and saved.
  virtual void on_finding(const ReportedFinding& finding) = 0;
};

struct CampaignEnd {
  CampaignResult result;
  Status trouble = Status::ok();  // the campaign could not continue
  std::string internal_error;     // not empty: our own bug; the result says what was done before
  std::string internal_schedule;  // where the execution that showed it is saved; may be empty
};

class Campaign {
 public:
  Campaign(CampaignOptions options, CampaignObserver& observer) : options_(std::move(options)), observer_(observer) {}
  CampaignEnd run();

 private:
  CampaignOptions options_;
  CampaignObserver& observer_;
};

}  // namespace ravel
