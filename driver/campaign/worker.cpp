// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/worker.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

#include "driver/target/execution_difference.h"
#include "reports/potential_deadlock.h"
#include "trace/schedule_writer.h"

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

Worker::Worker(const CampaignOptions& options, CampaignState& state)
    : options_(options),
      state_(state),
      seat_(options.jobs),
      program_(target_settings(options, seat_)),
      inquiry_(program_) {}

void Worker::run(std::uint64_t limit) {
  for (; limit > 0; --limit) {
    if (state_.stopped() || !make_ready()) return;
    const std::optional<Job> job = state_.next_job();
    if (!job) return;
    perform(*job);
  }
}

void Worker::name_functions() {
  if (arrived_before_) state_.name_functions(program_.symboliser());
}

bool Worker::make_ready() {
  program_.need_identities(state_.identities());
  if (program_.is_ready()) return true;
  const Result<Arrival> arrival = program_.make_ready();
  if (!arrival.is_ok()) {
    if (program_.interrupted()) {
      state_.stop();
    } else {
      state_.fail(arrival.status());
    }
    return false;
  }
  if (arrival.value() == Arrival::ended || arrival.value() == Arrival::replaced) {
    program_ended_without_tasks(arrival.value() == Arrival::replaced);
    return false;
  }
  if (arrival.value() == Arrival::single) {
    state_.note_once(
        "the program cannot be forked where it creates its first thread, so it is started anew for "
        "every execution");
  }
  arrived_before_ = true;
  state_.set_facts(program_.channel().launch.instrumented != 0);
  state_.learn_sites(options_.first_sites, program_.modules());
  return true;
}

// The whole program is then one execution with nothing to decide; its findings count all the same.
void Worker::program_ended_without_tasks(bool replaced) {
  if (arrived_before_) {
    state_.fail(Status::trouble(fmt::format("{} ended before creating a thread, though it created one when it was "
                                            "started earlier",
                                            program_.name()),
                                "its start-up depends on something Ravel does not control; check what it reads"));
    return;
  }
  const std::optional<Job> job = state_.next_job();
  if (!job) return;
  ExecutionRecord record = program_.record(ExecutionEnd::ended);
  if (!record.internal_error.empty()) {
    state_.fail_internally(record.internal_error, "");
    return;
  }
  record.without_tasks = true;
  record.summary.outcome = Outcome::ended;
  record.summary.tasks = 1;
  state_.set_facts(program_.channel().launch.instrumented != 0);
  state_.finish(*job, ExecutionView{record.summary});
  state_.note_once(replaced ? "the program replaced itself by another one (exec), which Ravel does not follow; give "
                              "that other program to ravel run"
                            : "the program never created a thread: there was only one order to run");
  consider_findings(*job, record);
  state_.stop();
}

void Worker::perform(const Job& job) {
  Job actual = job;
  const bool verifies = options_.verify && job.execution == 0;
  if (verifies && job.planned.plan.trace == TraceLevel::none) actual.planned.plan.trace = TraceLevel::operations;
  state_.share_sites(program_.sites());
  const ExecutionEnd end = program_.execute(actual.planned, program_.sites_now());
  if (end == ExecutionEnd::interrupted) {
    state_.stop();
    return;
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
  learn_lock_order(job);

  // The common case keeps nothing: an execution is copied out of the channel only when it shows something new.
  const bool internal_error = summary.outcome == Outcome::internal_error;
  if (internal_error || verifies || has_new_findings(findings)) {
    const ExecutionRecord record = program_.record(end);
    if (internal_error) {
      save_internal_error(actual, record);
      return;
    }
    if (verifies) verify(actual, record);
    consider_findings(actual, record);
  }
  state_.need_tasks(summary.tasks);
}

void Worker::learn_lock_order(const Job& job) {
  const Channel& channel = program_.channel();
  const auto edges = lock_edges_of(channel);
  if (edges.empty()) return;
  const std::vector<LockOrder::Circle> circles = state_.learn_lock_order(edges, modules_of(channel));
  if (circles.empty()) return;
  std::vector<TaskRecord> tasks(tasks_of(channel).begin(), tasks_of(channel).end());
  if (!tasks.empty()) tasks[0].creator = kNoTask;
  for (const LockOrder::Circle& circle : circles) {
    PotentialDeadlock words = resolve_circle(circle.edges, tasks, program_.symboliser());
    ResolvedFinding as_finding;
    as_finding.kind = FindingKind::deadlock;
    as_finding.stacks = words.chains;
    if (suppressed(as_finding)) {
      state_.dismiss_circle(circle.number);
      continue;
    }
    words.first_execution = job.execution + 1;
    state_.describe_circle(circle.number, std::move(words));
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
  state_.note_once("the program's process died under its executions and was started again");
  if (++losses_in_a_row_ >= kMaxLossesInARow) {
    state_.fail(Status::trouble(fmt::format("the process of {} died {} times in a row outside any execution",
                                            program_.name(), kMaxLossesInARow),
                                "check whether the program kills its parent process or runs out of memory"));
  }
}

// Performs the same plan again: the program must do the same.
void Worker::verify(const Job& job, const ExecutionRecord& first) {
  if (first.end != ExecutionEnd::ended) return;
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
  std::unordered_set<std::string> in_this_execution;
  std::vector<CompleteFinding> fresh;
  for (const FindingRecord& finding : record.findings) {
    IdentifiedFinding identified = inquiry_.identify(finding, record);
    if (!in_this_execution.insert(identified.signature).second || !state_.claim(identified.signature)) continue;
    CompleteFinding complete =
        identified.complete ? std::move(*identified.complete) : inquiry_.complete(finding, record);
    if (!suppressed(complete.finding)) fresh.push_back(std::move(complete));
  }
  for (CompleteFinding& finding : fresh) {
    const FindingKind kind = finding.finding.kind;
    const bool shrinks = options_.shrink && Inquiry::can_shrink(record, kind) && state_.is_first_of_kind(kind);
    if (shrinks) state_.share_sites(program_.sites());
    publish(job, inquiry_.conclude(record, std::move(finding), shrinks ? &options_.shrink_budget : nullptr));
  }
  state_.tell_findings(in_this_execution);
}

// The signature stays claimed, so a finding is examined once, however often it comes again.
bool Worker::suppressed(const ResolvedFinding& finding) {
  const SuppressionRule* const rule = options_.suppressions.match(finding);
  if (rule == nullptr) return false;
  state_.suppress(*rule);
  return true;
}

void Worker::publish(const Job& job, const ConcludedFinding& concluded) {
  const ResolvedFinding& finding = concluded.found.finding;
  if (finding.kind == FindingKind::timeout && concluded.ended_in_replay) {
    // The program can end from there, so the limit says something about the machine, not about the program.
    state_.note_once(
        fmt::format("an execution took longer than {}, but not when its schedule was run again: the machine "
                    "is busy, or the limit is short (--timeout)",
                    duration_text(options_.target.timeout)));
    state_.give_back(finding.signature);
    return;
  }
  ReportedFinding entry = reported(finding, concluded.record);
  entry.first_execution = job.execution + 1;
  entry.replayed = concluded.again.has_value();
  // Where a task was nudged was chance; a replay that shows the same proves that it does not matter.
  if (concluded.record.summary.external != 0 && !entry.replayed) entry.best_effort = true;
  entry.explanation = concluded.explanation;
  entry.id = state_.next_finding_id();
  if (!entry.replayed) {
    state_.note_once(fmt::format(
        "finding {} did not come back when its schedule was run again: it did not replay, so its replay is best-effort",
        entry.id));
  }
  if (concluded.record.replayable()) {
    Schedule schedule = schedule_of(job, concluded.again ? *concluded.again : concluded.record);
    set_finding(schedule, finding);
    const std::filesystem::path path =
        std::filesystem::path(options_.out) / fmt::format("{}-{}.ravel", entry.id, finding_name(finding.kind));
    if (Status status = write_schedule(schedule, path.string()); !status.is_ok()) {
      state_.fail(status);
    } else {
      entry.schedule_path = path.string();
    }
  } else {
    state_.note_once("an execution was too long for its decisions to be kept; its finding cannot be replayed");
  }
  state_.publish(std::move(entry));
}

Schedule Worker::schedule_of(const Job& job, const ExecutionRecord& record) {
  return program_.schedule_of(record, {options_.strategy, options_.seed, job.execution, job.planned.plan});
}

void Worker::save_internal_error(const Job& job, const ExecutionRecord& record) {
  const std::filesystem::path path = std::filesystem::path(options_.out) / "internal-error.ravel";
  const Status saved = write_schedule(schedule_of(job, record), path.string());
  state_.fail_internally(record.internal_error, saved.is_ok() ? path.string() : "");
}

}  // namespace ravel
