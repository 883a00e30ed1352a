// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/shrinking.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "driver/campaign/evidence.h"
#include "driver/campaign/replay.h"
#include "driver/campaign/whole_trace.h"
#include "reports/explain_trace.h"

namespace ravel {
namespace {

// The latest notification that came before another task began to wait for it.
std::optional<Cause> lost_notification(const std::vector<TraceEvent>& trace) {
  for (std::size_t wait = trace.size(); wait-- > 0;) {
    const Operation& waiting = trace[wait].operation;
    if (waiting.kind != OperationKind::condition_wait && waiting.kind != OperationKind::condition_timed_wait) continue;
    for (std::size_t i = wait; i-- > 0;) {
      const Operation& operation = trace[i].operation;
      const bool notifies =
          operation.kind == OperationKind::condition_signal || operation.kind == OperationKind::condition_broadcast;
      if (!notifies || operation.object != waiting.object || operation.task == waiting.task) continue;
      Cause cause;
      cause.first = i;
      cause.second = wait;
      return cause;
    }
  }
  return std::nullopt;
}

// Executions made to meet the finding again when more code locations are known than at first.
constexpr unsigned kSearchAgain = 300;

}  // namespace

FindingShrinker::FindingShrinker(ExecutionSource& source, WantedFinding wanted, const ShrinkBudget& budget)
    : source_(source), wanted_(std::move(wanted)), budget_(budget) {}

std::optional<ShrunkFinding> FindingShrinker::run(const ExecutionRecord& original, std::uint32_t sites_now,
                                                  bool minimise) {
  origin_ = original.plan;
  sites_ = original.sites_known;
  ShrinkBudget budget = budget_;
  // A loop without end takes as long as the limit of steps allows, each time.
  if (wanted_.kind == FindingKind::livelock) budget.executions = std::min<std::uint64_t>(budget.executions, 24);
  TrialRunner runner([this](const Directions& directions) { return try_directions(directions); }, budget);
  const auto shrunk_from = [&](const ExecutionRecord& base) -> std::optional<Shrunk> {
    const Directions all = directions_of(base.decisions, base.trace);
    if (minimise) return shrink(runner, all, base.decisions);
    if (Trial trial = runner.run(all); trial.same) return Shrunk{all, std::move(trial), 1, false};
    return std::nullopt;
  };
  std::optional<Shrunk> shrunk;
  // Where the points are depends on the order of tasks until all shared places are known. With all of them known it
  // does not, and directions mean the same in every trial.
  if (minimise && sites_now > original.sites_known) {
    if (const std::optional<ExecutionRecord> again = find_again(original, sites_now)) {
      sites_ = sites_now;
      shrunk = shrunk_from(*again);
      // One that is harder to follow than the original is of no use.
      if (shrunk && cost_of(shrunk->trial).preemptions > original.summary.preemptions) shrunk.reset();
      if (!shrunk) sites_ = original.sites_known;
    }
  }
  if (!shrunk) shrunk = shrunk_from(original);
  if (!shrunk) return std::nullopt;
  const bool tells_itself = wanted_.kind == FindingKind::data_race || wanted_.kind == FindingKind::deadlock;
  std::optional<Cause> cause;
  if (!tells_itself) cause = find_cause(runner, *shrunk);
  // A notification and a wait say more than the locks around them.
  if (wanted_.kind == FindingKind::lost_wakeup && cause && !cause->missing &&
      !is_memory_access(shrunk->trial.trace[cause->first].operation.kind)) {
    if (const auto lost = lost_notification(shrunk->trial.trace)) {
      cause = lost;
      cause->passes_otherwise = true;
    }
  }
  std::optional<ShrunkFinding> result = confirmed(shrunk->trial, runner.executions(), cause);
  if (result) result->preemptions_before = original.summary.preemptions;
  return result;
}

std::optional<ShrunkFinding> FindingShrinker::as_it_is(const ExecutionRecord& original) {
  std::optional<ExecutionRecord> record;
  if (!original.trace.empty()) record = replay(original, TraceLevel::values, {});
  if (!record) record = original;
  const FindingRecord* const found = find_wanted(*record);
  if (found == nullptr) return std::nullopt;
  ShrunkFinding result;
  result.evidence = complete(*found, *record);
  result.finding = resolve_finding(result.evidence.finding, record->tasks, source_.symbols(), record->weak_reads,
                                   result.evidence.creations);
  result.cause = cause_from_finding(*record, result.evidence.finding);
  result.preemptions_before = record->summary.preemptions;
  result.record = std::move(*record);
  return result;
}

std::optional<ExecutionRecord> FindingShrinker::find_again(const ExecutionRecord& original, std::uint32_t sites_now) {
  Random random(hash_mix(original.plan.seed, 0x616761696eULL));
  const auto deadline = std::chrono::steady_clock::now() + budget_.time / 4;
  const unsigned most = wanted_.kind == FindingKind::livelock ? 4 : kSearchAgain;
  for (unsigned i = 0; i < most && std::chrono::steady_clock::now() < deadline; ++i) {
    Plan plan = original.plan;
    plan.prefix_policy = PrefixPolicy::strict;
    plan.trace = TraceLevel::operations;
    for (LockHold& hold : plan.hold) hold = LockHold{};
    plan.strategy = i % 2 == 0 ? StrategyKind::random : StrategyKind::pos;
    plan.switch_power = static_cast<std::uint8_t>(1 + random.below(4));
    plan.seed = random.next();
    std::optional<ExecutionRecord> record = source_.execute({plan}, sites_now, {});
    if (!record) return std::nullopt;
    if (record->replayable() && record->summary.external == 0 && find_wanted(*record) != nullptr) return record;
  }
  return std::nullopt;
}

Trial FindingShrinker::try_directions(const Directions& directions) {
  PlannedExecution planned;
  planned.plan = strict_replay_plan(origin_);
  planned.details = details_of(directions);
  const std::optional<ExecutionRecord> record = source_.execute(planned, sites_, {});
  return record ? judged(*record) : Trial{};
}

Trial FindingShrinker::judged(const ExecutionRecord& record) {
  Trial trial;
  trial.performed = true;
  trial.summary = record.summary;
  const bool whole = record.replayable() && record.summary.trace_full == 0 && record.summary.external == 0;
  trial.same = whole && find_wanted(record) != nullptr;
  const bool failed = std::any_of(record.findings.begin(), record.findings.end(),
                                  [](const FindingRecord& finding) { return finding.kind != FindingKind::data_race; });
  // A process that simply ended has not always had the time to say so; its wait status is among the findings.
  const bool ended = record.summary.outcome == Outcome::ended || record.summary.outcome == Outcome::running;
  trial.passes = record.end == ExecutionEnd::ended && ended && !failed;
  trial.decisions = record.decisions;
  trial.trace = record.trace;
  return trial;
}

const FindingRecord* FindingShrinker::find_wanted(const ExecutionRecord& record) {
  for (const FindingRecord& finding : record.findings) {
    if (finding.kind != wanted_.kind) continue;
    if (wanted_.signature.empty() || signature_of(finding, record) == wanted_.signature) return &finding;
  }
  return nullptr;
}

std::string FindingShrinker::signature_of(const FindingRecord& finding, const ExecutionRecord& record) {
  const auto [entry, is_new] = signatures_.try_emplace(record_key(finding));
  if (is_new) {
    const FindingRecord whole = is_half_known(finding) ? complete(finding, record).finding : finding;
    entry->second = resolve_finding(whole, record.tasks, source_.symbols(), record.weak_reads).signature;
  }
  return entry->second;
}

Evidence FindingShrinker::complete(const FindingRecord& finding, const ExecutionRecord& record) {
  // An execution with values in its trace has kept all there is, but for the other side.
  const bool complete = !wants_evidence(finding) || (!is_half_known(finding) && !record.creations.empty());
  if (complete && wants_evidence(finding)) return {finding, record.creations};
  std::optional<Evidence> full;
  if (!complete && record.replayable()) {
    full = with_evidence(finding,
                         [&](const WatchRequest& watch) { return replay(record, TraceLevel::operations, watch); });
  }
  return full ? std::move(*full) : Evidence{finding, {}};
}

std::optional<ExecutionRecord> FindingShrinker::replay(const ExecutionRecord& record, TraceLevel trace,
                                                       const WatchRequest& watch) {
  Plan plan = strict_replay_plan(record.plan);
  plan.trace = trace;
  return source_.execute({plan, record.decisions}, record.sites_known, watch);
}

// What was found counts only when a strict replay shows it.
std::optional<ShrunkFinding> FindingShrinker::confirmed(const Trial& trial, std::uint64_t executions,
                                                        std::optional<Cause> cause) {
  Plan plan = strict_replay_plan(origin_);
  plan.trace = TraceLevel::values;
  std::optional<ExecutionRecord> record = source_.execute({plan, trial.decisions}, sites_, {});
  if (!record || !record->replayable() || record->summary.outcome == Outcome::diverged) return std::nullopt;
  const FindingRecord* const found = find_wanted(*record);
  if (found == nullptr || record->trace.size() != trial.trace.size()) return std::nullopt;
  ShrunkFinding result;
  result.evidence = complete(*found, *record);
  result.finding = resolve_finding(result.evidence.finding, record->tasks, source_.symbols(), record->weak_reads,
                                   result.evidence.creations);
  result.cause = cause ? cause : cause_from_finding(*record, result.evidence.finding);
  result.executions = executions;
  result.record = std::move(*record);
  return result;
}

// A race is a pair of accesses, a deadlock a circle of locks: the finding names its own cause.
std::optional<Cause> FindingShrinker::cause_from_finding(const ExecutionRecord& record,
                                                         const FindingRecord& raw) const {
  const std::size_t parts = std::min<std::size_t>(raw.participants, kMaxParticipants);
  if (raw.kind == FindingKind::data_race && parts >= 2) {
    return cause_of_operations(record.trace, raw.participant[0].operation, raw.participant[1].operation);
  }
  if (raw.kind != FindingKind::deadlock) return std::nullopt;
  // Who took what the other waits for.
  const auto taken = [&](TaskId task, std::uint64_t lock) {
    for (std::size_t i = record.trace.size(); i-- > 0;) {
      const Operation& operation = record.trace[i].operation;
      if (operation.task == task && operation.object == lock) return i;
    }
    return record.trace.size();
  };
  for (std::size_t i = 0; i < parts; ++i) {
    const ParticipantRecord& mine = raw.participant[i];
    if (mine.holder == kNoTask || mine.holder == mine.operation.task) continue;
    for (std::size_t j = 0; j < parts; ++j) {
      const ParticipantRecord& its = raw.participant[j];
      if (its.operation.task != mine.holder || its.holder == kNoTask) continue;
      const std::size_t a = taken(mine.holder, mine.operation.object);
      const std::size_t b = taken(its.holder, its.operation.object);
      if (a == record.trace.size() || b == record.trace.size() || a == b) continue;
      Cause cause;
      cause.first = std::min(a, b);
      cause.second = std::max(a, b);
      return cause;
    }
  }
  return std::nullopt;
}

Explanation explain_finding(const ShrunkFinding& shrunk, SymbolSource& symbols) {
  const ExecutionRecord& record = shrunk.record;
  const WholeTrace whole(record);
  TracedExecution execution;
  execution.trace = whole.events();
  execution.stacks = whole.stacks();
  execution.tasks = record.tasks;
  execution.creations = shrunk.evidence.creations;
  execution.waiting = record.waiting;
  execution.preemptions = record.summary.preemptions;
  execution.cut = record.summary.trace_full != 0;
  std::optional<DecidingSteps> deciding;
  if (shrunk.cause) {
    const Cause cause = whole.cause(*shrunk.cause);
    deciding = DecidingSteps{cause.first, cause.second, cause.missing, cause.third, cause.passes_otherwise, cause.weak};
  }
  return explain(execution, shrunk.evidence.finding, shrunk.finding, deciding, symbols, source_files());
}

}  // namespace ravel
