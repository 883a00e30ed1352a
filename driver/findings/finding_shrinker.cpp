// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/finding_shrinker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/random.h"
#include "driver/findings/inquiry.h"
#include "driver/findings/read_cause_choice.h"
#include "driver/findings/wait_cause.h"
#include "driver/target/schedule_builder.h"

namespace ravel {
namespace {

// Executions performed to find the finding again when more code locations are known than at first.
constexpr unsigned kSearchAgain = 300;

std::optional<ExecutionRecord> performed(Result<ExecutionRecord> result) {
  if (!result.is_ok()) return std::nullopt;
  return std::move(result.value());
}

}  // namespace

FindingShrinker::FindingShrinker(RunningProgram& program, Inquiry& inquiry, WantedFinding wanted,
                                 const ShrinkBudget& budget)
    : program_(program), inquiry_(inquiry), wanted_(std::move(wanted)), budget_(budget) {}

std::optional<ShrunkFinding> FindingShrinker::run(const ExecutionRecord& found, bool minimise) {
  if (!program_.make_ready().is_ok()) return std::nullopt;
  const ExecutionRecord original = traced(found);
  const std::uint32_t sites_now = program_.sites_now();
  origin_ = original.plan;
  sites_ = original.sites_known;
  ShrinkBudget budget = budget_;
  // An endless loop takes as long as the step limit allows, every time.
  if (wanted_.kind == FindingKind::livelock) budget.executions = std::min<std::uint64_t>(budget.executions, 24);
  TrialRunner runner([this](const Directions& directions) { return try_directions(directions); }, budget,
                     program_.deadline());
  const Deadline search_ends = program_.deadline().within(budget.time);
  std::optional<EarlierDeadline> of_search(std::in_place, program_, search_ends);
  const auto shrunk_from = [&](const ExecutionRecord& base) -> std::optional<Shrunk> {
    const Directions all = directions_of(base.decisions, base.trace);
    if (minimise) return shrink(runner, all, base.decisions);
    if (Trial trial = runner.run(all); trial.same) return Shrunk{all, std::move(trial), 1, false};
    return std::nullopt;
  };
  std::optional<Shrunk> shrunk;
  // Until all shared places are known, where the points are depends on the order of tasks. Once they are known it does
  // not, and directions mean the same in every trial.
  if (minimise && sites_now > original.sites_known) {
    if (const std::optional<ExecutionRecord> again = find_again(original, sites_now)) {
      sites_ = sites_now;
      shrunk = shrunk_from(*again);
      // A result with more preemptions than the original is useless.
      if (shrunk && cost_of(shrunk->trial).preemptions > original.summary.preemptions) shrunk.reset();
      if (!shrunk) sites_ = original.sites_known;
    }
  }
  if (!shrunk) shrunk = shrunk_from(original);
  if (!shrunk) return std::nullopt;
  of_search.reset();
  std::optional<ExecutionRecord> record = replayed(shrunk->trial);
  if (!record) return std::nullopt;
  of_search.emplace(program_, search_ends);
  const std::optional<Cause> cause = cause_of(runner, *shrunk, *record);
  std::optional<ExecutionRecord> passing;
  if (cause && cause->passes_otherwise && runner.latest_pass()) {
    if (const Trial trial = try_directions(*runner.latest_pass()); trial.passes) passing = replayed(trial);
  }
  of_search.reset();
  std::optional<ShrunkFinding> result =
      found_in(std::move(*record), cause, runner.executions(), original.summary.preemptions);
  if (!result) return std::nullopt;
  result->exhausted = shrunk->exhausted;
  result->passing = std::move(passing);
  return result;
}

// The execution with its steps: without them its directions are not complete.
ExecutionRecord FindingShrinker::traced(const ExecutionRecord& found) {
  if (!found.trace.empty()) return found;
  std::optional<ExecutionRecord> again = performed(program_.replay(found, {}, TraceLevel::operations));
  if (!again || again->summary.outcome == Outcome::diverged || find_wanted(*again) == nullptr) return found;
  again->plan = found.plan;
  return std::move(*again);
}

// A race is a pair of accesses, tasks that hold each other's locks are a circle: nothing is left to find out. Of other
// tasks that wait, a notification says more than the locks and the data around it.
std::optional<Cause> FindingShrinker::cause_of(TrialRunner& runner, const Shrunk& shrunk,
                                               const ExecutionRecord& record) {
  const FindingRecord* const found = find_wanted(record);
  if (found == nullptr || wanted_.kind == FindingKind::data_race) return std::nullopt;
  const bool waits = waits_for_ever();
  if (waits && cause_in_finding(*found, record.trace)) return std::nullopt;
  std::optional<Cause> of_wait;
  if (waits) of_wait = find_wait_cause(runner, shrunk, record);
  if (!of_wait) of_wait = cause_in_answers(runner, shrunk);
  // A time that is up is the cause only if what was read does not say more.
  const bool decides = of_wait && (of_wait->passes_otherwise || of_wait->kind == CauseKind::circle);
  if (decides && of_wait->kind != CauseKind::timed_out) return of_wait;
  // What shrinking tried is forgotten: of a schedule that is short already the same cause is to be found.
  passing_.clear();
  same_.clear();
  std::optional<Cause> of_data = find_cause(runner, shrunk);
  // Of a very long execution each look takes as long as the rest of the search.
  constexpr std::size_t kMostSteps = 20'000;
  if (record.trace.size() < kMostSteps) return cause_in_reads(record, shrunk.directions, of_data, of_wait);
  return of_data && !decides ? of_data : of_wait;
}

std::optional<Cause> FindingShrinker::cause_in_answers(TrialRunner& runner, const Shrunk& shrunk) {
  std::optional<AnswerCause> found = find_answer_cause(runner, shrunk);
  if (!found) return std::nullopt;
  if (found->missing_step) {
    const std::optional<ExecutionRecord> passing = replayed(found->passing);
    if (passing && *found->missing_step < passing->step_stacks.size()) {
      found->cause.missing_stack = passing->step_stacks[*found->missing_step];
    }
  }
  return found->cause;
}

std::optional<ShrunkFinding> FindingShrinker::as_it_is(const ExecutionRecord& original) {
  std::optional<ExecutionRecord> record;
  if (!original.trace.empty()) record = performed(program_.replay(original, {}, TraceLevel::values));
  if (!record) record = original;
  const std::uint64_t preemptions = record->summary.preemptions;
  return found_in(std::move(*record), std::nullopt, 0, preemptions);
}

std::optional<ShrunkFinding> FindingShrinker::found_in(ExecutionRecord record, std::optional<Cause> cause,
                                                       std::uint64_t executions, std::uint64_t preemptions_before) {
  const FindingRecord* const found = find_wanted(record);
  if (found == nullptr) return std::nullopt;
  ShrunkFinding result{inquiry_.complete(*found, record)};
  result.cause = cause ? cause : cause_in_finding(result.evidence.finding, record.trace);
  result.executions = executions;
  result.preemptions_before = preemptions_before;
  result.record = std::move(record);
  return result;
}

std::optional<ExecutionRecord> FindingShrinker::find_again(const ExecutionRecord& original, std::uint32_t sites_now) {
  Random random(hash_mix(original.plan.seed, 0x616761696eULL));
  const Deadline deadline = program_.deadline().within(budget_.time / 4);
  const unsigned most = wanted_.kind == FindingKind::livelock ? 4 : kSearchAgain;
  for (unsigned i = 0; i < most && !deadline.has_come(); ++i) {
    Plan plan = original.plan;
    plan.trace = TraceLevel::operations;
    for (LockHold& hold : plan.hold) hold = LockHold{};
    const std::uint64_t power = 1 + random.below(4);
    plan.change_strategy(i % 2 == 0 ? StrategyKind::random : StrategyKind::pos);
    if (plan.strategy == StrategyKind::random) plan.set_parameter("switch", power);
    plan.seed = random.next();
    std::optional<ExecutionRecord> record = performed(program_.perform({plan}, sites_now, {}));
    if (!record) return std::nullopt;
    if (record->replayable() && record->summary.external == 0 && find_wanted(*record) != nullptr) return record;
  }
  return std::nullopt;
}

Trial FindingShrinker::try_directions(const Directions& directions) {
  PlannedExecution planned;
  planned.plan = strict_replay_plan(origin_);
  planned.details = details_of(directions);
  const std::optional<ExecutionRecord> record = performed(program_.perform(planned, sites_, {}));
  if (!record) return {};
  Trial trial = judged(*record);
  if (trial.passes) passing_.push_back(directions);
  if (trial.same) same_.push_back(directions);
  return trial;
}

// Who failed; of an execution in which nobody could go on, everybody who waits.
std::vector<TaskId> FindingShrinker::failing_tasks(const ExecutionRecord& record) {
  std::vector<TaskId> tasks;
  if (waits_for_ever()) {
    for (const Operation& operation : record.waiting) tasks.push_back(operation.task);
    std::sort(tasks.begin(), tasks.end());
  }
  if (!tasks.empty()) return tasks;
  const FindingRecord* const found = find_wanted(record);
  if (found != nullptr && found->task != kNoTask) return {found->task};
  if (!record.trace.empty()) tasks.push_back(record.trace.back().operation.task);
  return tasks;
}

// What decides in terms of what was read, or else `of_order`, or else `of_wait`: from the executions that are most like
// the failing one, and a few others.
std::optional<Cause> FindingShrinker::cause_in_reads(const ExecutionRecord& failing, const Directions& directions,
                                                     const std::optional<Cause>& of_order,
                                                     const std::optional<Cause>& of_wait) {
  constexpr std::size_t kLike = 16;
  constexpr unsigned kOthers = 24;
  ReadCauseChoice choice(failing, failing_tasks(failing), program_.symboliser());
  const auto distance = [&](const Directions& other) {
    Directions difference;
    std::set_symmetric_difference(directions.begin(), directions.end(), other.begin(), other.end(),
                                  std::back_inserter(difference));
    return difference.size();
  };
  const Deadline deadline = program_.deadline().within(budget_.time / 3);
  const auto add = [&](PlannedExecution planned) {
    if (deadline.has_come()) return;
    planned.plan.trace = TraceLevel::values;
    std::optional<ExecutionRecord> record = performed(program_.perform(planned, sites_, {}));
    if (!record) return;
    const Trial trial = judged(*record);
    if (!trial.passes && !trial.same) return;
    const std::vector<TaskId> failed = trial.passes ? std::vector<TaskId>{} : failing_tasks(*record);
    choice.add(std::move(*record), trial.passes, failed);
  };
  // The same switches, a little earlier or later.
  for (std::size_t i = 0; i < directions.size() && same_.size() < kLike; ++i) {
    for (const int by : {-1, 1, 2, -2, 3, 5}) {
      Directions moved = directions;
      moved[i].step = static_cast<std::uint32_t>(static_cast<int>(moved[i].step) + by);
      if (static_cast<int>(moved[i].step) < 0) continue;
      std::sort(moved.begin(), moved.end());
      same_.push_back(std::move(moved));
    }
  }
  for (std::vector<Directions>* const kind : {&passing_, &same_}) {
    std::stable_sort(kind->begin(), kind->end(),
                     [&](const Directions& a, const Directions& b) { return distance(a) < distance(b); });
    kind->erase(std::unique(kind->begin(), kind->end()), kind->end());
    for (std::size_t i = 0; i < std::min(kLike, kind->size()); ++i) {
      PlannedExecution planned;
      planned.plan = strict_replay_plan(origin_);
      planned.details = details_of((*kind)[i]);
      add(std::move(planned));
    }
  }
  std::uint64_t seed = 0;
  for (const std::uint64_t word : details_of(directions)) seed = hash_mix(seed, word);
  Random random(seed);
  const bool sleeps = std::any_of(failing.trace.begin(), failing.trace.end(),
                                  [](const TraceEvent& event) { return event.operation.kind == OperationKind::sleep; });
  for (unsigned i = 0; i < kOthers; ++i) {
    Plan plan = origin_;
    for (LockHold& hold : plan.hold) hold = LockHold{};
    plan.change_strategy(i % 2 == 0 ? StrategyKind::random : StrategyKind::pos);
    plan.seed = random.next();
    if (sleeps && i % 4 == 3) plan.exhaustive = plan.short_sleeps = 0;  // then a sleep takes its time
    add({plan});
  }
  // Memory that is used after it was freed fails whatever it holds: there only the order counts.
  const bool is_misuse = wanted_.kind == FindingKind::use_after_free || wanted_.kind == FindingKind::double_free;
  if (of_wait && of_wait->passes_otherwise && !choice.passes_with_wait(of_wait->first)) return of_wait;
  std::optional<Cause> best = is_misuse ? of_order : choice.best();
  // What orders the two by a semaphore or the like is not what went wrong.
  if (is_misuse && (!best || choice.only_synchronises(*best))) {
    if (const FindingRecord* const found = find_wanted(failing)) {
      if (std::optional<Cause> use = cause_of_misuse(*found, failing)) best = use;
    }
  }
  if (!best) best = of_order;
  if (!best) return of_wait;
  if (best->counts.failed_so == 0) choice.judge(*best);
  return best;
}

Trial FindingShrinker::judged(const ExecutionRecord& record) {
  Trial trial;
  trial.performed = true;
  trial.summary = record.summary;
  const bool whole = record.replayable() && record.summary.trace_full == 0 && record.summary.external == 0;
  trial.same = whole && find_wanted(record) != nullptr;
  const bool failed = std::any_of(record.findings.begin(), record.findings.end(),
                                  [](const FindingRecord& finding) { return finding.kind != FindingKind::data_race; });
  // A process that simply ended did not always have time to say so; its wait status is among the findings.
  const bool ended = record.summary.outcome == Outcome::ended || record.summary.outcome == Outcome::running;
  trial.passes = record.end == ExecutionEnd::ended && ended && !failed;
  trial.decisions = record.decisions;
  trial.trace = record.trace;
  return trial;
}

const FindingRecord* FindingShrinker::find_wanted(const ExecutionRecord& record) {
  for (const FindingRecord& finding : record.findings) {
    if (finding.kind != wanted_.kind) continue;
    if (wanted_.signature.empty() || inquiry_.identify(finding, record).signature == wanted_.signature) return &finding;
  }
  return nullptr;
}

// A result counts only when a strict replay shows the finding.
std::optional<ExecutionRecord> FindingShrinker::replayed(const Trial& trial) {
  Plan plan = strict_replay_plan(origin_);
  plan.trace = TraceLevel::values;
  std::optional<ExecutionRecord> record = performed(program_.perform({plan, trial.decisions}, sites_, {}));
  const bool same = record && record->replayable() && record->summary.outcome != Outcome::diverged &&
                    record->trace.size() == trial.trace.size();
  return same ? std::move(record) : std::nullopt;
}

}  // namespace ravel
