// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/worker.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include <fmt/format.h>

#include "driver/campaign/changed_globals.h"
#include "driver/target/execution_difference.h"
#include "reports/potential_deadlock.h"

namespace ravel {
namespace {

constexpr unsigned kMaxLossesInARow = 3;

TargetSettings target_settings(const CampaignOptions& options, const ProcessorSeat& seat) {
  TargetSettings settings = options.target;
  settings.launch.random_seed = options.seed;
  settings.launch.processor = seat.launch_number();
  settings.processors = ProcessorSeat::all();
  return settings;
}

}  // namespace

Worker::Worker(const CampaignOptions& options, CampaignState& state, Role role)
    : options_(options),
      role_(role),
      state_(state),
      seat_(options.jobs),
      program_(target_settings(options, seat_)),
      inquiry_(program_) {}

void Worker::run(std::uint64_t limit) {
  const std::uint64_t resident = program_.resident_executions();
  for (; limit > 0; --limit) {
    // The job first: a program that is started for nothing would be killed half-way.
    const std::optional<Job> job = state_.next_job();
    if (!job || !make_ready(*job)) break;
    perform(*job);
    if (must_be_alone() && role_ == Role::helper) break;
  }
  state_.count_resident(program_.resident_executions() - resident);
}

void Worker::name_functions() {
  if (!arrived_before_) return;
  // Functions are named for the summary alone: in a large program that must not take long once the time is up.
  constexpr std::chrono::milliseconds kGrace{300};
  const Deadline& deadline = program_.deadline();
  const auto now = Coverage::Clock::now();
  const auto end = deadline.interrupted() ? now + kGrace : std::max(now, deadline.end() - kGrace) + kGrace;
  if (!state_.name_functions(program_.symboliser(), end)) {
    state_.note_once(fmt::format("functions were not counted: {}", deadline.reason()));
  }
}

bool Worker::make_ready(const Job& job) {
  program_.need_identities(state_.identities());
  if (program_.is_ready()) return true;
  const Result<Arrival> arrival = program_.make_ready();
  if (!arrival.is_ok()) {
    if (program_.deadline().has_come()) {
      state_.stop();
    } else {
      state_.fail(arrival.status());
    }
    return false;
  }
  if (arrival.value() == Arrival::ended || arrival.value() == Arrival::replaced) {
    program_ended_without_tasks(job, arrival.value() == Arrival::replaced);
    return false;
  }
  if (arrival.value() == Arrival::single && options_.target.launch.single == 0) {
    state_.note_once(
        fmt::format("the program cannot be forked where it {}, so it is restarted for every execution",
                    options_.target.launch.explored_call != 0 ? "calls ravel::explore" : "creates its first thread"));
  }
  if (options_.target.launch.files == FileView::shared) {
    state_.note_once(
        "files are shared: what executions change stays on the disk, also of those that Ravel ended early");
  }
  arrived_before_ = true;
  state_.set_facts(program_.channel().launch.instrumented != 0);
  state_.learn_sites(options_.first_sites, program_.modules());
  return true;
}

// The whole program is then one execution with nothing to decide; its findings count all the same.
void Worker::program_ended_without_tasks(const Job& job, bool replaced) {
  if (arrived_before_) {
    state_.fail(Status::trouble(fmt::format("{} ended before creating a thread, though it created one when it was "
                                            "started earlier",
                                            program_.name()),
                                "its start-up depends on something Ravel does not control; check what it reads"));
    return;
  }
  ExecutionRecord record = program_.record(ExecutionEnd::ended);
  if (!record.internal_error.empty()) {
    state_.fail_internally(record.internal_error, "");
    return;
  }
  record.without_tasks = true;
  record.summary.outcome = Outcome::ended;
  record.summary.tasks = 1;
  state_.set_facts(program_.channel().launch.instrumented != 0);
  state_.finish(job, ExecutionView{record.summary});
  if (!replaced) state_.set_without_tasks();
  state_.note_once(replaced ? "the program replaced itself with another one (exec), which Ravel does not follow; give "
                              "that other program to ravel run"
                            : kNoteWithoutTasks);
  consider_findings(job, record);
  state_.stop();
}

void Worker::perform(const Job& job) {
  Job actual = job;
  const bool verifies = options_.verify && job.execution == 0;
  if (verifies && job.planned.plan.trace == TraceLevel::none) actual.planned.plan.trace = TraceLevel::operations;
  state_.share_sites(program_.sites());
  const ExecutionEnd end = program_.execute(actual.planned, program_.sites_now());
  if (end == ExecutionEnd::cut) {
    state_.stop();
    return;
  }
  if (!program_.residence_trouble().empty()) state_.note_once(program_.residence_trouble());
  if (program_.channel().result.changed_globals != 0) {
    const std::string changed = tell_changed_globals(program_.channel(), program_.symboliser());
    if (!changed.empty()) state_.note_once(changed);
  }
  state_.learn_sites(program_.new_sites(), program_.modules());
  const ExecutionSummary summary = program_.channel().result.summary;
  const std::vector<FindingRecord> findings = program_.findings(end);
  ExecutionView view = view_execution(program_.channel());
  view.failed = std::any_of(findings.begin(), findings.end(),
                            [](const FindingRecord& finding) { return finding.kind != FindingKind::data_race; });
  state_.finish(actual, view);
  if (end == ExecutionEnd::target_lost) {
    target_was_lost();
    return;
  }
  losses_in_a_row_ = 0;
  if (const Status misuse = program_.misuse(end); !misuse.is_ok()) {
    state_.fail(misuse);
    return;
  }
  look_at_files();
  look_at_addresses();
  learn_lock_order(job);

  // The common case keeps nothing: an execution is copied out of the channel only when it shows something new.
  const bool internal_error = summary.outcome == Outcome::internal_error;
  const bool new_unclear = has_new_unclear_races();
  if (internal_error || verifies || has_new_findings(findings) || new_unclear) {
    const ExecutionRecord record = program_.record(end);
    if (internal_error) {
      save_internal_error(actual, record);
      return;
    }
    consider_findings(actual, record);
    if (new_unclear) consider_unclear_races(actual, record);
    if (verifies) verify(actual, record);
  }
  state_.need_tasks(summary.tasks);
}

void Worker::look_at_files() {
  const Launch& launch = program_.channel().launch;
  if (launch.file_changes < FileChanges::copied || changes_disk_) return;
  changes_disk_ = true;
  if (launch.options.files == FileView::copied && launch.file_changes == FileChanges::copied) return;  // as wished
  const char* const why = launch.file_trouble == 0 ? "" : std::strerror(launch.file_trouble);
  const std::string reason = fmt::format("executions cannot be kept apart on disk here{}{}{}", *why == 0 ? "" : " (",
                                         why, *why == 0 ? "" : ")");
  state_.tell_once(launch.file_changes == FileChanges::copied
                       ? reason +
                             ": files that the program changes are put back after each execution, and executions "
                             "run one at a time"
                       : reason +
                             ", and some changes could not be undone: what one execution leaves, the next one sees");
}

void Worker::look_at_addresses() {
  const Launch& launch = program_.channel().launch;
  if (launch.binds_address == 0 || binds_address_) return;
  binds_address_ = true;
  if (options_.jobs == 1) return;
  const std::string what = launch.bound_port != 0 ? fmt::format("port {}", launch.bound_port) : "an abstract socket";
  state_.tell_once(fmt::format("the program binds {}, which all executions share, so they run one at a time", what));
}

void Worker::learn_lock_order(const Job& job) {
  const Channel& channel = program_.channel();
  const auto edges = lock_edges_of(channel);
  if (edges.empty()) return;
  const std::vector<LockOrder::Cycle> cycles = state_.learn_lock_order(edges, modules_of(channel));
  if (cycles.empty()) return;
  std::vector<TaskRecord> tasks(tasks_of(channel).begin(), tasks_of(channel).end());
  if (!tasks.empty()) tasks[0].creator = kNoTask;
  for (const LockOrder::Cycle& cycle : cycles) {
    PotentialDeadlock words = resolve_cycle(cycle.edges, tasks, program_.symboliser());
    ResolvedFinding as_finding;
    as_finding.kind = FindingKind::deadlock;
    as_finding.stacks = words.chains;
    if (suppressed(as_finding)) {
      state_.dismiss_cycle(cycle.number);
      continue;
    }
    words.first_execution = job.execution + 1;
    state_.describe_cycle(cycle.number, std::move(words));
  }
}

bool Worker::has_new_findings(const std::vector<FindingRecord>& findings) {
  std::unordered_set<std::string> signatures;
  for (const FindingRecord& finding : findings) {
    const std::string* const known = inquiry_.known_signature(finding);
    if (known == nullptr) return true;
    signatures.insert(*known);
  }
  for (const std::string& signature : signatures) {
    if (!state_.count_known(signature)) return true;
  }
  state_.tell_findings(signatures);
  return false;
}

void Worker::target_was_lost() {
  state_.note_once("the program's process died outside any execution and was restarted");
  if (++losses_in_a_row_ >= kMaxLossesInARow) {
    state_.fail(Status::trouble(fmt::format("the process of {} died {} times in a row outside any execution",
                                            program_.name(), kMaxLossesInARow),
                                "check whether the program kills its parent process or runs out of memory"));
  }
}

// Performs the same plan again: the program must do the same.
void Worker::verify(const Job& job, const ExecutionRecord& first) {
  if (first.end != ExecutionEnd::ended || program_.deadline().has_come()) return;
  const Result<ExecutionRecord> second = program_.perform(job.planned, first.sites_known, {});
  if (!second.is_ok() || second.value().without_tasks || second.value().end != ExecutionEnd::ended) {
    state_.note_once(
        "the first execution could not be repeated, so Ravel does not know whether the program is "
        "deterministic under it");
    return;
  }
  const std::string difference = explain_difference(first, second.value(), program_.symboliser());
  state_.set_verified(difference.empty());
  if (!difference.empty()) state_.note_once(difference + "; replay may not work");
}

void Worker::consider_findings(const Job& job, const ExecutionRecord& record) {
  struct Fresh {
    CompleteFinding finding;
    Saved saved;
  };
  std::unordered_set<std::string> in_this_execution;
  std::vector<Fresh> fresh;
  const auto is_new = [&](const std::string& signature) {
    return in_this_execution.insert(signature).second && state_.claim(signature);
  };
  for (const FindingRecord& finding : record.findings) {
    const std::string* const known = inquiry_.known_signature(finding);
    if (known != nullptr && !is_new(*known)) continue;
    // First of all: what follows may take long, and somebody may kill us meanwhile.
    Saved saved = save(job, record, inquiry_.at_first_sight(finding, record));
    std::optional<CompleteFinding> complete;
    bool wanted = true;
    if (known == nullptr) {
      IdentifiedFinding identified = inquiry_.identify(finding, record);
      wanted = is_new(identified.signature);
      complete = std::move(identified.complete);
      if (wanted && is_half_known(finding) && program_.deadline().has_come() && state_.has_findings(finding.kind)) {
        wanted = false;
        state_.note_once(
            fmt::format("the last execution showed a {} too; whether it is another one was not looked into: {}",
                        finding_name(finding.kind), program_.deadline().reason()));
      }
    }
    if (wanted && !complete) complete = inquiry_.complete(finding, record);
    if (wanted && !suppressed(complete->finding)) {
      fresh.push_back({std::move(*complete), std::move(saved)});
    } else {
      discard(saved);
    }
  }
  for (Fresh& one : fresh) {
    const FindingKind kind = one.finding.finding.kind;
    const bool shrinks = options_.shrink && Inquiry::can_shrink(record, kind) && state_.is_first_of_kind(kind);
    if (shrinks) state_.share_sites(program_.sites());
    publish(job, inquiry_.conclude(record, std::move(one.finding), shrinks ? &options_.shrink_budget : nullptr),
            std::move(one.saved));
  }
  state_.tell_findings(in_this_execution);
}

bool Worker::has_new_unclear_races() {
  bool any = false;
  for (const FindingRecord& race : unclear_races_of(program_.channel())) {
    if (unclear_seen_.insert(record_key(race)).second) any = true;
  }
  return any;
}

void Worker::consider_unclear_races(const Job& job, const ExecutionRecord& record) {
  for (const FindingRecord& race : record.unclear_races) {
    // Where a task was nudged, a repetition takes long and may show something else.
    const bool repeatable = record.summary.external == 0;
    ResolvedFinding words = repeatable ? inquiry_.complete(race, record).finding
                                       : resolve_finding(race, record.tasks, program_.symboliser());
    if (!state_.is_new_unclear_race(words.signature) || suppressed(words)) continue;
    state_.add_unclear_race({std::move(words), job.execution + 1});
  }
}

// The signature stays claimed, so a finding is examined once, however often it comes again.
bool Worker::suppressed(const ResolvedFinding& finding) {
  const SuppressionRule* const rule = options_.suppressions.match(finding);
  if (rule == nullptr) return false;
  state_.suppress(*rule);
  return true;
}

Worker::Saved Worker::save(const Job& job, const ExecutionRecord& record, const ResolvedFinding& finding) {
  Saved saved{state_.next_finding_id(), {}, {}};
  if (!record.replayable()) {
    state_.note_once("an execution was too long for its decisions to be kept; its finding cannot be replayed");
    return saved;
  }
  saved.name = fmt::format("{}-{}.ravel", saved.id, finding_name(finding.kind));
  write(saved, job, record, finding);
  return saved;
}

void Worker::write(Saved& saved, const Job& job, const ExecutionRecord& record, const ResolvedFinding& finding) {
  Schedule schedule = schedule_of(job, record);
  set_finding(schedule, finding);
  Result<std::string> path = options_.files->write(schedule, saved.name);
  if (path.is_ok()) {
    saved.path = std::move(path.value());
  } else {
    state_.fail(path.status());
  }
}

void Worker::discard(const Saved& saved) {
  if (!saved.path.empty()) options_.files->remove(saved.name);
  state_.give_back_finding_id(saved.id);
}

void Worker::publish(const Job& job, const ConcludedFinding& concluded, Saved saved) {
  const ResolvedFinding& finding = concluded.found.finding;
  if (finding.kind == FindingKind::timeout && concluded.ended_in_replay) {
    // The program can end from there, so the limit says something about the machine, not about the program.
    state_.note_once(
        fmt::format("an execution took longer than {}, but not when its schedule was run again: the machine "
                    "is busy, or the limit is short (--timeout)",
                    duration_text(options_.target.timeout)));
    state_.give_back(finding.signature);
    discard(saved);
    return;
  }
  ReportedFinding entry = reported(finding, concluded.record);
  entry.first_execution = job.execution + 1;
  entry.replayed = concluded.again.has_value();
  // Where a task was nudged was chance; a replay that shows the same proves that it does not matter.
  if (concluded.record.summary.external != 0 && !entry.replayed) entry.best_effort = true;
  entry.explanation = concluded.explanation;
  entry.id = saved.id;
  entry.unfinished = concluded.unfinished;
  if (!entry.replayed && entry.unfinished.empty()) {
    state_.note_once(fmt::format(
        "finding {} did not come back when its schedule was run again: it did not replay, so its replay is best-effort",
        entry.id));
  }
  if (program_.channel().launch.file_changes == FileChanges::apart) {
    state_.note_once(
        "the program changes files; each execution did so in a view of the disk of its own, which is gone; "
        "ravel replay --files shared leaves them on the disk");
  }
  const ExecutionRecord& shown = concluded.again ? *concluded.again : concluded.record;
  if (!saved.path.empty()) write(saved, job, shown, finding);
  entry.schedule_path = std::move(saved.path);
  state_.publish(std::move(entry));
}

Schedule Worker::schedule_of(const Job& job, const ExecutionRecord& record) {
  return program_.schedule_of(record, {options_.strategy, options_.seed, job.execution, job.planned.plan});
}

void Worker::save_internal_error(const Job& job, const ExecutionRecord& record) {
  const Result<std::string> saved = options_.files->write(schedule_of(job, record), "internal-error.ravel");
  state_.fail_internally(record.internal_error, saved.is_ok() ? saved.value() : "");
}

}  // namespace ravel
