// SPDX-License-Identifier: Apache-2.0
// CampaignState: what the workers of one campaign share. Every public method takes the lock; none holds it while a
// target runs.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <ravel/strategy.h>

#include "base/mutex.h"
#include "driver/campaign/campaign.h"
#include "driver/campaign/coverage.h"
#include "driver/campaign/finding_table.h"
#include "driver/campaign/lock_order.h"
#include "driver/campaign/order_statistics.h"
#include "driver/campaign/pct_guarantee.h"
#include "driver/target/execution_record.h"
#include "driver/target/site_list.h"

namespace ravel {

// One execution to perform.
struct Job {
  std::uint64_t execution = 0;  // counts from 0
  PlannedExecution planned;
  std::size_t sites = 0;  // code locations known when it was planned
};

class CampaignState {
 public:
  CampaignState(const CampaignOptions& options, std::unique_ptr<Planner> planner, CampaignObserver& observer);

  // nullopt when the campaign is over: budget used up, stopped, or the deadline has come.
  std::optional<Job> next_job();

  // The execution has ended: lets the planner learn and updates the counts.
  void finish(const Job& job, ExecutionView view);

  // Passes on what an execution that ended has shown.
  void tell_findings(const std::unordered_set<std::string>& signatures);

  // Code locations whose accesses are scheduling points. learn_sites() takes a target's new ones; share_sites() adds to
  // a worker's list what others have found.
  void learn_sites(std::span<const std::uint64_t> pcs, const ModuleMap& modules);
  void share_sites(SiteList& of_worker);

  // How many identities every target must be started with. need_tasks() may raise it.
  std::uint32_t identities() const { return identities_; }
  void need_tasks(std::uint32_t tasks);

  // Findings. True: the caller is the first to see it, and must publish it.
  bool claim(const std::string& signature);
  bool count_known(const std::string& signature);
  void give_back(const std::string& signature);
  std::uint32_t next_finding_id();
  void give_back_finding_id(std::uint32_t id);
  bool has_findings(FindingKind kind);
  bool is_first_of_kind(FindingKind kind);  // true once for each kind
  void publish(ReportedFinding finding);
  // Instead of publish(): the finding that the caller has claimed is suppressed.
  void suppress(const SuppressionRule& rule);

  // Locks that one execution wanted while it held others. Returns the cycles that the caller must describe.
  std::vector<LockOrder::Cycle> learn_lock_order(std::span<const LockEdge> edges,
                                                 std::span<const ModuleRecord> modules);
  void describe_cycle(std::size_t number, PotentialDeadlock words);
  void dismiss_cycle(std::size_t number);

  // Races that code which is not seen may have ordered. True once for each.
  bool is_new_unclear_race(const std::string& signature);
  void add_unclear_race(UnclearRace race);

  // At the end, by a worker that has a symboliser. False: there was no time for all.
  bool name_functions(SymbolSource& symbols, Coverage::Clock::time_point end);

  void set_facts(bool instrumented);
  void set_without_tasks();
  void set_verified(bool deterministic);
  void count_resident(std::uint64_t executions);
  void note_once(const std::string& sentence);
  void tell_once(const std::string& sentence);  // a note that cannot wait until the end
  void stop();
  bool stopped();
  void fail(Status trouble);
  void fail_internally(std::string message, std::string schedule);

  // After all workers have ended.
  CampaignEnd take_end();

 private:
  double seconds_locked() const;
  bool keeps_pct_promise_locked(const Job& job, const ExecutionSummary& summary) const RAVEL_REQUIRES(mutex_);
  void tell_suppressed_locked() RAVEL_REQUIRES(mutex_);

  const CampaignOptions& options_;
  CampaignObserver& observer_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  Mutex mutex_;
  ConditionVariable learned_;
  std::unique_ptr<Planner> planner_ RAVEL_GUARDED_BY(mutex_);
  OrderStatistics orders_ RAVEL_GUARDED_BY(mutex_);
  Coverage coverage_ RAVEL_GUARDED_BY(mutex_);
  std::uint64_t pairs_ RAVEL_GUARDED_BY(mutex_) = 0;  // sum over all models of coverage_
  PctGuarantee pct_ RAVEL_GUARDED_BY(mutex_);
  std::uint64_t longest_ RAVEL_GUARDED_BY(mutex_) = 0;     // steps of the longest execution
  std::uint32_t most_tasks_ RAVEL_GUARDED_BY(mutex_) = 1;  // of any execution
  std::uint64_t next_curve_point_ RAVEL_GUARDED_BY(mutex_) = 1;
  FindingTable findings_ RAVEL_GUARDED_BY(mutex_);
  LockOrder lock_order_ RAVEL_GUARDED_BY(mutex_);
  std::set<std::string> unclear_races_ RAVEL_GUARDED_BY(mutex_);  // signatures
  SiteList sites_ RAVEL_GUARDED_BY(mutex_);
  CampaignEnd end_ RAVEL_GUARDED_BY(mutex_);
  std::uint64_t planned_ RAVEL_GUARDED_BY(mutex_) = 0;
  std::uint64_t external_ RAVEL_GUARDED_BY(mutex_) = 0;
  bool order_lost_ RAVEL_GUARDED_BY(mutex_) = false;
  bool history_cut_ RAVEL_GUARDED_BY(mutex_) = false;
  std::vector<std::uint64_t> suppressed_ RAVEL_GUARDED_BY(mutex_);  // findings, by SuppressionRule::index
  std::atomic<std::uint32_t> identities_;                           // written under the lock, like the next one
  std::atomic<std::size_t> site_count_ = 0;  // of sites_: each execution asks whether there are new ones
  std::set<FindingKind> kinds_seen_ RAVEL_GUARDED_BY(mutex_);
  bool stopped_ RAVEL_GUARDED_BY(mutex_) = false;
  // How long the search goes on after a finding that is no failure of the program.
  static constexpr std::uint64_t kExecutionsAfterAFlaw = 500;
  static constexpr std::chrono::seconds kTimeAfterAFlaw{60};
  std::uint64_t last_execution_ RAVEL_GUARDED_BY(mutex_) = ~std::uint64_t{0};
  std::chrono::steady_clock::time_point last_moment_ RAVEL_GUARDED_BY(mutex_) =
      std::chrono::steady_clock::time_point::max();
};

}  // namespace ravel
