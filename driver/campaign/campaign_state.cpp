// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/campaign_state.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/random.h"
#include "reports/finding_groups.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

// While a lock cycle is known that no execution has run into, one execution in this many is steered towards it.
constexpr std::uint64_t kSteerOneIn = 4;

// For coverage, one execution in this many is traced even if the planner does not ask for it; fewer of the long ones.
constexpr std::uint64_t kShort = 4096;
constexpr std::uint64_t kTraceOneIn = 4;
constexpr std::uint64_t kTraceLongOneIn = 64;

// Another execution may have shown what nothing explains.
void drop_races_that_are_findings(CampaignResult& result) {
  std::erase_if(result.unclear_races, [&](const UnclearRace& race) {
    return std::any_of(result.findings.begin(), result.findings.end(),
                       [&](const ReportedFinding& found) { return found.finding.signature == race.finding.signature; });
  });
}

}  // namespace

CampaignState::CampaignState(const CampaignOptions& options, std::unique_ptr<Planner> planner,
                             CampaignObserver& observer)
    : options_(options),
      observer_(observer),
      planner_(std::move(planner)),
      findings_(options.ids_after),
      sites_(options.target.executable),
      suppressed_(options.suppressions.rules().size(), 0),
      identities_(options.target.launch.identities) {
  CampaignResult& result = end_.result;
  result.command = "run";
  result.program = options.target.arguments;
  result.strategy = options.strategy;
  result.seed = options.seed;
  result.carrier = carrier_name(options.target.launch.carrier);
}

double CampaignState::seconds_locked() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<Job> CampaignState::next_job() {
  const MutexLock lock(mutex_);
  const Deadline& deadline = options_.target.deadline;
  // An exhaustive search may have nothing to plan until the executions in progress have ended.
  while (!stopped_ && !deadline.has_come() && !planner_->finished() && !planner_->ready()) {
    learned_.wait_for(mutex_, std::chrono::milliseconds(50));
  }
  if (planner_->finished() && end_.result.executions == planned_) {
    end_.result.complete = planner_->complete();
    stopped_ = true;
  }
  if (stopped_ || planner_->finished() || deadline.has_come() ||
      planned_ >= std::min(options_.executions, last_execution_) || std::chrono::steady_clock::now() >= last_moment_) {
    return std::nullopt;
  }
  const std::uint64_t execution = planned_++;
  Job job{execution, planner_->next(execution), sites_.size()};
  // `sequential` means one order only, and `follow` stays near its record: neither is steered.
  const bool may_steer = options_.steer && options_.strategy != strategy_name(StrategyKind::sequential) &&
                         job.planned.plan.strategy != StrategyKind::follow && job.planned.plan.exhaustive == 0;
  if (may_steer && execution % kSteerOneIn == kSteerOneIn - 1) lock_order_.steer(job.planned.plan);
  TraceLevel& trace = job.planned.plan.trace;
  if (trace == TraceLevel::none && execution % (longest_ <= kShort ? kTraceOneIn : kTraceLongOneIn) == 0)
    trace = TraceLevel::operations;
  return job;
}

// The theorem is about schedules that differ only in priorities and change points. An execution that anything else led
// elsewhere (docs/strategies/pct.md) does not count.
bool CampaignState::keeps_pct_promise_locked(const Job& job, const ExecutionSummary& summary) const {
  const Plan& plan = job.planned.plan;
  const bool newest_stores = plan.stale_power == kQuietEnvironment ||
                             options_.target.launch.memory_model == MemoryModel::sc || !end_.result.instrumented;
  return plan.strategy == StrategyKind::pct && job.planned.prefix.empty() && !plan.steers() &&
         plan.environment_power == kQuietEnvironment && newest_stores && job.sites == sites_.size() &&
         summary.external == 0 && summary.outcome != Outcome::cut;
}

void CampaignState::finish(const Job& job, ExecutionView view) {
  const ExecutionSummary& summary = view.summary;
  const MutexLock lock(mutex_);
  longest_ = std::max(longest_, summary.steps);
  most_tasks_ = std::max(most_tasks_, summary.tasks);
  if (keeps_pct_promise_locked(job, summary)) {
    const Plan& plan = job.planned.plan;
    pct_.add(static_cast<std::uint32_t>(plan.parameter("depth")), plan.parameter("length"));
  }
  view.new_order = orders_.add(summary.order_hash);
  if (!view.trace.empty()) view.news = coverage_.learn(view);
  pairs_ += view.news;
  planner_->learn(job.planned, view);
  CampaignResult& result = end_.result;
  ++result.executions;
  if (result.executions == next_curve_point_) {
    result.coverage.curve.push_back({result.executions, orders_.distinct(), pairs_});
    next_curve_point_ += std::max<std::uint64_t>(1, next_curve_point_ / 4);
  }
  result.steps += summary.steps;
  for (const std::uint64_t fact : {summary.order_hash, summary.steps, std::uint64_t{summary.tasks},
                                   static_cast<std::uint64_t>(summary.outcome), std::uint64_t{view.failed}}) {
    result.fingerprint = hash_mix(result.fingerprint, fact);
  }
  if (summary.outcome == Outcome::cut) ++result.cut;
  if (summary.external != 0) ++external_;
  if (summary.history_cut != 0) history_cut_ = true;
  if (summary.order_lost != 0) order_lost_ = true;
  learned_.notify_all();
  SearchProgress search;
  planner_->progress(search);
  observer_.on_progress({result.executions, options_.executions, findings_.size(), orders_.distinct(), seconds_locked(),
                         search.estimate});
}

void CampaignState::tell_findings(const std::unordered_set<std::string>& signatures) {
  const MutexLock lock(mutex_);
  observer_.on_execution_findings(signatures);
}

void CampaignState::learn_sites(std::span<const std::uint64_t> pcs, const ModuleMap& modules) {
  if (pcs.empty()) return;
  const MutexLock lock(mutex_);
  for (const std::uint64_t pc : pcs) {
    if (sites_.add(pc, modules)) pct_.forget();
  }
  site_count_ = sites_.size();
}

void CampaignState::share_sites(SiteList& of_worker) {
  if (of_worker.size() == site_count_) return;
  const MutexLock lock(mutex_);
  of_worker.catch_up_with(sites_);
}

void CampaignState::need_tasks(std::uint32_t tasks) {
  if (tasks <= identities_ + 1) return;
  const MutexLock lock(mutex_);
  if (tasks > identities_ + 1) identities_ = std::min(std::bit_ceil(tasks - 1), kMaxTasks);
}

bool CampaignState::claim(const std::string& signature) {
  const MutexLock lock(mutex_);
  return findings_.claim(signature);
}

bool CampaignState::count_known(const std::string& signature) {
  const MutexLock lock(mutex_);
  return findings_.count_known(signature);
}

void CampaignState::give_back(const std::string& signature) {
  const MutexLock lock(mutex_);
  findings_.give_back(signature);
}

std::uint32_t CampaignState::next_finding_id() {
  const MutexLock lock(mutex_);
  return findings_.next_id();
}

void CampaignState::give_back_finding_id(std::uint32_t id) {
  const MutexLock lock(mutex_);
  findings_.give_back_id(id);
}

bool CampaignState::has_findings(FindingKind kind) {
  const MutexLock lock(mutex_);
  return findings_.has(kind);
}

bool CampaignState::is_first_of_kind(FindingKind kind) {
  const MutexLock lock(mutex_);
  return kinds_seen_.insert(kind).second;
}

void CampaignState::publish(ReportedFinding finding) {
  const MutexLock lock(mutex_);
  const FindingKind kind = finding.finding.kind;
  if (kind == FindingKind::deadlock) lock_order_.happened(finding.finding);
  observer_.on_finding(finding);
  findings_.publish(std::move(finding));
  if (options_.expect) {
    if (kind == *options_.expect) stopped_ = true;
  } else if (!options_.keep_going) {
    // What is only a flaw or a sign of one often goes with a more telling failure: the search goes on for a little.
    if (weight_of(kind) == FindingWeight::failure) stopped_ = true;
    last_execution_ = std::min(last_execution_, end_.result.executions + kExecutionsAfterAFlaw);
    last_moment_ = std::min(last_moment_, std::chrono::steady_clock::now() + kTimeAfterAFlaw);
  }
}

std::vector<LockOrder::Cycle> CampaignState::learn_lock_order(std::span<const LockEdge> edges,
                                                              std::span<const ModuleRecord> modules) {
  const MutexLock lock(mutex_);
  return lock_order_.learn(edges, modules);
}

void CampaignState::describe_cycle(std::size_t number, PotentialDeadlock words) {
  const MutexLock lock(mutex_);
  lock_order_.describe(number, std::move(words));
}

void CampaignState::dismiss_cycle(std::size_t number) {
  const MutexLock lock(mutex_);
  lock_order_.dismiss(number);
}

bool CampaignState::is_new_unclear_race(const std::string& signature) {
  const MutexLock lock(mutex_);
  return unclear_races_.insert(signature).second;
}

void CampaignState::add_unclear_race(UnclearRace race) {
  const MutexLock lock(mutex_);
  end_.result.unclear_races.push_back(std::move(race));
}

void CampaignState::suppress(const SuppressionRule& rule) {
  const MutexLock lock(mutex_);
  ++suppressed_.at(rule.index);
}

// One note per file: "2 findings were suppressed by tsan.supp: race:foo (2)".
void CampaignState::tell_suppressed_locked() {
  CampaignResult& result = end_.result;
  const std::vector<SuppressionRule>& rules = options_.suppressions.rules();
  std::uint64_t count = 0;
  std::string names;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (suppressed_[i] > 0) {
      result.suppressed.push_back({rules[i].text(), rules[i].file, rules[i].line, suppressed_[i]});
      count += suppressed_[i];
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", rules[i].text(), suppressed_[i]);
    }
    const bool last_of_file = i + 1 == rules.size() || rules[i + 1].file != rules[i].file;
    if (!last_of_file || count == 0) continue;
    result.notes.push_back(fmt::format("{} suppressed by {}: {}",
                                       count == 1 ? "1 finding was" : fmt::format("{} findings were", count),
                                       rules[i].file, names));
    count = 0;
    names.clear();
  }
}

bool CampaignState::name_functions(SymbolSource& symbols, Coverage::Clock::time_point end) {
  const MutexLock lock(mutex_);
  return coverage_.name_functions(symbols, end);
}

void CampaignState::set_facts(bool instrumented) {
  const MutexLock lock(mutex_);
  end_.result.instrumented = end_.result.instrumented || instrumented;
}

void CampaignState::set_without_tasks() {
  const MutexLock lock(mutex_);
  end_.result.without_tasks = true;
}

void CampaignState::count_resident(std::uint64_t executions) {
  if (executions == 0) return;
  const MutexLock lock(mutex_);
  end_.result.resident += executions;
}

void CampaignState::set_verified(bool deterministic) {
  const MutexLock lock(mutex_);
  end_.result.verified_deterministic = deterministic;
}

void CampaignState::note_once(const std::string& sentence) {
  const MutexLock lock(mutex_);
  auto& notes = end_.result.notes;
  if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(sentence);
}

void CampaignState::tell_once(const std::string& sentence) {
  const MutexLock lock(mutex_);
  auto& notes = end_.result.notes;
  if (std::find(notes.begin(), notes.end(), sentence) != notes.end()) return;
  notes.push_back(sentence);
  observer_.on_note(sentence);
}

void CampaignState::stop() {
  const MutexLock lock(mutex_);
  stopped_ = true;
}

bool CampaignState::stopped() {
  const MutexLock lock(mutex_);
  return stopped_;
}

void CampaignState::fail(Status trouble) {
  const MutexLock lock(mutex_);
  if (end_.trouble.is_ok()) end_.trouble = std::move(trouble);
  stopped_ = true;
}

void CampaignState::fail_internally(std::string message, std::string schedule) {
  const MutexLock lock(mutex_);
  if (end_.internal_error.empty()) {
    end_.internal_error = std::move(message);
    end_.internal_schedule = std::move(schedule);
  }
  stopped_ = true;
}

CampaignEnd CampaignState::take_end() {
  const MutexLock lock(mutex_);
  CampaignResult& result = end_.result;
  result.seconds = seconds_locked();
  result.distinct_orders = orders_.distinct();
  SearchProgress search;
  if (planner_->progress(search)) {
    result.search = SearchResult{search.explored, search.redundant, search.classes, search.estimate};
  }
  result.unseen_probability = orders_.unseen_probability();
  coverage_.fill(result.coverage);
  result.coverage.pct = pct_.bounds(most_tasks_);
  std::vector<CoverageResult::Point>& curve = result.coverage.curve;
  if (result.executions > 0 && (curve.empty() || curve.back().executions != result.executions)) {
    curve.push_back({result.executions, orders_.distinct(), pairs_});
  }
  result.findings = findings_.take();
  drop_races_that_are_findings(result);
  result.potential_deadlocks = lock_order_.take();
  std::erase_if(result.potential_deadlocks, [this](const PotentialDeadlock& deadlock) RAVEL_REQUIRES(mutex_) {
    ResolvedFinding finding;
    finding.kind = FindingKind::deadlock;
    finding.stacks = deadlock.chains;
    const SuppressionRule* const rule = options_.suppressions.match(finding);
    if (rule != nullptr) ++suppressed_.at(rule->index);
    return rule != nullptr;
  });
  tell_suppressed_locked();
  if (result.cut > 0) {
    const std::uint64_t most = options_.target.launch.max_steps;
    result.notes.push_back(fmt::format("{} of {} executions were cut after {} steps; allow more: --max-steps {}",
                                       result.cut, result.executions, most, most * 10));
  }
  if (order_lost_) {
    result.notes.push_back(
        "a task released locks and atomics more than 16 million times in one execution; from there on no data race was "
        "looked "
        "for");
  }
  if (history_cut_) {
    result.notes.push_back(
        fmt::format("only the newest {} stores of an atomic were offered to loads; --history N "
                    "offers more",
                    options_.target.launch.history));
  }
  if (external_ > 0) {
    result.notes.push_back(
        fmt::format("in {} a task was in a call or a loop that Ravel does not see into; {} replay is best-effort",
                    counted(external_, "execution"), external_ == 1 ? "its" : "their"));
  }
  return std::move(end_);
}

}  // namespace ravel
