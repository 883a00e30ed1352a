// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/worker.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

#include "driver/campaign/determinism_check.h"
#include "driver/campaign/evidence.h"
#include "driver/campaign/replay.h"
#include "driver/campaign/schedule_builder.h"
#include "reports/finding_report.h"
#include "reports/potential_deadlock.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

constexpr unsigned kMaxLossesInARow = 3;

}  // namespace

Worker::Worker(const CampaignOptions& options, CampaignState& state)
    : options_(options), state_(state), seat_(options.jobs) {}

void Worker::run(std::uint64_t limit) {
  for (; limit > 0; --limit) {
    if (state_.stopped() || !ensure_target()) return;
    const std::optional<Job> job = state_.next_job();
    if (!job) return;
    perform(*job);
  }
}

void Worker::name_functions() {
  if (target_ != nullptr && modules_) state_.name_functions(symboliser());
}

bool Worker::ensure_target() {
  if (target_ != nullptr && target_->can_execute() && target_->launch().identities >= state_.identities()) return true;
  return start_target();
}

TargetSettings Worker::target_settings() {
  TargetSettings settings;
  settings.executable = options_.executable;
  settings.arguments = options_.program;
  settings.runtime = options_.runtime;
  settings.launch = options_.launch;
  settings.launch.identities = state_.identities();
  settings.launch.random_seed = options_.seed;
  settings.launch.processor = seat_.launch_number();
  settings.processors = seat_.all();
  settings.timeout = options_.timeout;
  settings.input = options_.input;
  settings.interrupted = options_.interrupted;
  return settings;
}

bool Worker::start_target() {
  target_.reset();  // before the new one: two targets of one worker at a time would compete
  sites_.clear();
  sites_written_ = 0;
  sites_seen_ = 0;
  auto started = Target::start(target_settings());
  if (!started.is_ok()) {
    state_.fail(started.status());
    return false;
  }
  target_ = std::move(started.value());
  const Arrival arrival = target_->wait_for_arrival();
  switch (arrival) {
    case Arrival::forks:
      break;
    case Arrival::single:
      state_.note_once(
          "the program cannot be forked where it creates its first thread, so it is started anew for "
          "every execution");
      break;
    case Arrival::ended:
    case Arrival::replaced:
      program_ended_without_tasks(arrival == Arrival::replaced);
      return false;
    case Arrival::too_slow:
      state_.fail(Status::trouble(
          fmt::format("{} did not create a thread within {}, so there was nothing to control yet", options_.program[0],
                      duration_text(options_.timeout)),
          "if its start-up takes that long, allow more: --timeout 60s; if it waits for input, give it: < FILE"));
      return false;
    case Arrival::interrupted:
      state_.stop();
      return false;
  }
  arrived_before_ = true;
  state_.set_facts(target_->channel().launch.instrumented != 0);
  refresh_modules();
  state_.learn_sites(options_.first_sites, *modules_);
  return true;
}

// The whole program is then one execution with nothing to decide; what it shows counts all the same.
void Worker::program_ended_without_tasks(bool replaced) {
  if (arrived_before_) {
    state_.fail(Status::trouble(fmt::format("{} ended before creating a thread, though it created one when it was "
                                            "started earlier",
                                            options_.program[0]),
                                "its start-up depends on something Ravel does not control; check what it reads"));
    return;
  }
  const std::optional<Job> job = state_.next_job();
  if (!job) return;
  ExecutionRecord record = record_execution(*target_, ExecutionEnd::ended, options_.timeout);
  if (!record.internal_error.empty()) {
    state_.fail_internally(record.internal_error, "");
    return;
  }
  record.summary.outcome = Outcome::ended;
  record.summary.tasks = 1;
  state_.set_facts(target_->channel().launch.instrumented != 0);
  state_.finish(*job, ExecutionView{record.summary});
  state_.note_once(replaced ? "the program replaced itself by another one (exec), which Ravel does not follow; give "
                              "that other program to ravel run"
                            : "the program never created a thread: there was only one order to run");
  refresh_modules();
  consider_findings(*job, record);
  state_.stop();
}

void Worker::refresh_modules() {
  const auto now = modules_of(target_->channel());
  if (modules_ && now.size_bytes() == module_bytes_.size() &&
      std::memcmp(now.data(), module_bytes_.data(), now.size_bytes()) == 0) {
    return;
  }
  module_bytes_.assign(reinterpret_cast<const char*>(now.data()), now.size_bytes());
  modules_.emplace(options_.executable, now);
  symboliser_.reset();
  signatures_.clear();
}

Symboliser& Worker::symboliser() {
  if (!symboliser_) symboliser_.emplace(options_.executable, modules_of(target_->channel()));
  return *symboliser_;
}

std::uint32_t Worker::prepare_sites() {
  for (const std::uint64_t pc : state_.sites_since(sites_seen_, *modules_)) {
    if (sites_.size() < kMaxSites) sites_.push_back(pc);
  }
  Channel& channel = target_->channel();
  std::copy(sites_.begin() + static_cast<std::ptrdiff_t>(sites_written_), sites_.end(),
            channel.request.site + sites_written_);
  sites_written_ = sites_.size();
  return static_cast<std::uint32_t>(sites_.size());
}

void Worker::take_new_sites() {
  const Channel& channel = target_->channel();
  sites_written_ = std::min<std::size_t>(sites_written_, channel.request.sites_known);
  if (const auto learned = new_sites_of(channel); !learned.empty()) state_.learn_sites(learned, *modules_);
}

ExecutionEnd Worker::perform(const PlannedExecution& planned, std::uint32_t sites_known, const WatchRequest& watch) {
  const ExecutionEnd end = target_->execute(planned, sites_known, watch);
  refresh_modules();
  return end;
}

void Worker::perform(const Job& job) {
  Job actual = job;
  const bool verifies = options_.verify && job.execution == 0;
  if (verifies && job.planned.plan.trace == TraceLevel::none) actual.planned.plan.trace = TraceLevel::operations;
  const std::uint32_t sites_known = prepare_sites();
  const ExecutionEnd end = perform(actual.planned, sites_known);
  if (end == ExecutionEnd::interrupted) {
    state_.stop();
    return;
  }
  take_new_sites();
  const Channel& channel = target_->channel();
  const ExecutionSummary summary = channel.result.summary;
  const std::vector<FindingRecord> findings = findings_of(*target_, end, options_.timeout);
  ExecutionView view = view_execution(channel);
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
    const ExecutionRecord record = record_execution(*target_, end, options_.timeout);
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
  const Channel& channel = target_->channel();
  const auto edges = lock_edges_of(channel);
  if (edges.empty()) return;
  const std::vector<LockOrder::Circle> circles = state_.learn_lock_order(edges, modules_of(channel));
  if (circles.empty()) return;
  std::vector<TaskRecord> tasks(tasks_of(channel).begin(), tasks_of(channel).end());
  if (!tasks.empty()) tasks[0].creator = kNoTask;
  for (const LockOrder::Circle& circle : circles) {
    PotentialDeadlock words = resolve_circle(circle.edges, tasks, symboliser());
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
    const auto known = signatures_.find(record_key(finding));
    if (known == signatures_.end()) return true;
    signatures.insert(known->second);
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
                                            options_.program[0], kMaxLossesInARow),
                                "check whether the program kills its parent process or runs out of memory"));
  }
}

std::optional<ExecutionRecord> Worker::replay(const ExecutionRecord& record, const WatchRequest& watch) {
  return execute({strict_replay_plan(record.plan), record.decisions}, record.sites_known, watch);
}

// Outside the campaign's count: what it shows is judged by the caller, and the campaign does not learn from it.
std::optional<ExecutionRecord> Worker::execute(const PlannedExecution& planned, std::uint32_t sites_known,
                                               const WatchRequest& watch) {
  // A target that performs one execution only, or that died with it: an equal one is as good.
  if (!target_->can_execute() && !start_target()) return std::nullopt;
  prepare_sites();
  const ExecutionEnd end = perform(planned, sites_known, watch);
  sites_written_ = std::min<std::size_t>(sites_written_, sites_known);
  if (end == ExecutionEnd::interrupted || end == ExecutionEnd::target_lost) return std::nullopt;
  return record_execution(*target_, end, options_.timeout);
}

void Worker::verify(const Job& job, const ExecutionRecord& first) {
  if (first.end != ExecutionEnd::ended || !target_->can_execute()) {
    // Starting it anew is the one way to have the same execution again where the program cannot be forked.
    if (first.end != ExecutionEnd::ended || !start_target()) return;
    prepare_sites();
  }
  const ExecutionEnd end = perform(job.planned, first.sites_known);
  sites_written_ = std::min<std::size_t>(sites_written_, first.sites_known);
  if (end != ExecutionEnd::ended) {
    state_.note_once(
        "the first execution could not be repeated, so Ravel does not know whether the program is "
        "deterministic under it");
    return;
  }
  const ExecutionRecord second = record_execution(*target_, end, options_.timeout);
  const std::string difference = explain_difference(first, second, symboliser());
  state_.set_verified(difference.empty());
  if (!difference.empty()) state_.note_once(difference + "; replay may not work");
}

// The finding with everything that can be known about it.
Evidence Worker::complete(const FindingRecord& finding, const ExecutionRecord& record) {
  std::optional<Evidence> full;
  if (wants_evidence(finding) && arrived_before_ && record.replayable()) {
    full = with_evidence(finding, [&](const WatchRequest& watch) { return replay(record, watch); });
  }
  return full ? std::move(*full) : Evidence{finding, {}};
}

void Worker::consider_findings(const Job& job, const ExecutionRecord& record) {
  struct Fresh {
    Evidence evidence;
    ResolvedFinding resolved;
  };
  std::unordered_set<std::string> in_this_execution;
  std::vector<Fresh> fresh;
  for (const FindingRecord& finding : record.findings) {
    const std::uint64_t key = record_key(finding);
    auto known = signatures_.find(key);
    std::optional<Fresh> complete_one;
    const auto make_complete = [&] {
      Evidence full = complete(finding, record);
      ResolvedFinding words =
          resolve_finding(full.finding, record.tasks, symboliser(), record.weak_reads, full.creations);
      complete_one = Fresh{std::move(full), std::move(words)};
    };
    if (known == signatures_.end()) {
      std::string signature;
      if (is_half_known(finding)) {
        make_complete();
        signature = complete_one->resolved.signature;
      } else {
        signature = resolve_finding(finding, record.tasks, symboliser(), record.weak_reads).signature;
      }
      known = signatures_.emplace(key, std::move(signature)).first;
    }
    const std::string signature = known->second;
    if (!in_this_execution.insert(signature).second || !state_.claim(signature)) continue;
    if (!complete_one) make_complete();
    if (suppressed(complete_one->resolved)) continue;
    fresh.push_back(std::move(*complete_one));
  }
  for (const Fresh& finding : fresh) {
    // A shorter schedule is an offer: what was found is told in any case.
    const std::optional<ShrunkFinding> shrunk = shrink(record, finding.resolved);
    if (shrunk && confirm_and_publish(job, shrunk->record, shrunk->evidence, shrunk->finding, &*shrunk)) continue;
    confirm_and_publish(job, record, finding.evidence, finding.resolved, nullptr);
  }
  state_.tell_findings(in_this_execution);
}

std::optional<ShrunkFinding> Worker::shrink(const ExecutionRecord& record, const ResolvedFinding& finding) {
  // An execution that must time out, or that the clock took part in, cannot be tried a thousand times.
  const bool can = arrived_before_ && record.replayable() && record.summary.external == 0 &&
                   record.end == ExecutionEnd::ended && finding.kind != FindingKind::timeout;
  if (!can || !options_.shrink || !state_.is_first_of_kind(finding.kind)) return std::nullopt;
  if (!target_->can_execute() && !start_target()) return std::nullopt;
  FindingShrinker shrinker(*this, {finding.kind, finding.signature}, options_.shrink_budget);
  return shrinker.run(record, prepare_sites());
}

// The signature stays claimed, so a finding is looked at once, however often it comes again.
bool Worker::suppressed(const ResolvedFinding& finding) {
  const SuppressionRule* const rule = options_.suppressions.match(finding);
  if (rule == nullptr) return false;
  state_.suppress(*rule);
  return true;
}

// False, with nothing done, when a shrunk one does not come back as it should.
bool Worker::confirm_and_publish(const Job& job, const ExecutionRecord& record, const Evidence& evidence,
                                 const ResolvedFinding& finding, const ShrunkFinding* shrunk) {
  ReportedFinding reported;
  reported.finding = finding;
  reported.first_execution = job.execution + 1;
  reported.count = 1;
  reported.preemptions = record.summary.preemptions;
  reported.tasks = record.summary.tasks;
  reported.output = record.output;
  reported.output_truncated = record.output_truncated;

  Schedule schedule = schedule_of(job, record);
  bool ended_in_replay = false;  // a replay that hangs elsewhere, or could not be made, is no sign of a busy machine
  if (arrived_before_ && record.replayable()) {
    WatchRequest watch = evidence_request(evidence.finding);
    if (evidence.creations.empty()) watch.creations = 0;  // the same words need the same knowledge
    if (const auto again = replay(record, watch)) {
      ended_in_replay = again->end == ExecutionEnd::ended;
      for (const FindingRecord& other : again->findings) {
        const ResolvedFinding same =
            resolve_finding(other, again->tasks, symboliser(), again->weak_reads, again->creations);
        if (same == finding) reported.replayed = true;
      }
      if (reported.replayed) schedule = schedule_of(job, *again);
    }
  }
  if (shrunk != nullptr && !reported.replayed) return false;
  if (!arrived_before_) reported.replayed = comes_again_without_tasks(finding);

  // Where a task was made to give way was chance; a replay that shows the same has shown that it does not matter.
  reported.best_effort =
      (record.summary.external & kExternalWait) != 0 || (record.summary.external != 0 && !reported.replayed);
  if (finding.kind == FindingKind::timeout && ended_in_replay) {
    // The program can end from there, so the limit says something about the machine and nothing about the program.
    state_.note_once(
        fmt::format("an execution took longer than {}, but not when its schedule was run again: the machine "
                    "is busy, or the limit is short (--timeout)",
                    duration_text(options_.timeout)));
    state_.give_back(finding.signature);
    return true;
  }
  if (shrunk != nullptr) reported.explanation = explain_finding(*shrunk, symboliser());
  reported.id = state_.next_finding_id();
  if (!reported.replayed) {
    state_.note_once(fmt::format(
        "finding {} did not come back when its schedule was run again: it did not replay, so its replay is best-effort",
        reported.id));
  }
  schedule.finding = finding.kind;
  schedule.finding_message = finding.message;
  schedule.finding_id = finding.signature;
  const std::filesystem::path path =
      std::filesystem::path(options_.out) / fmt::format("{}-{}.ravel", reported.id, finding_name(finding.kind));
  if (record.replayable()) {
    if (Status status = write_schedule(schedule, path.string()); !status.is_ok()) {
      state_.fail(status);
    } else {
      reported.schedule_path = path.string();
    }
  } else {
    state_.note_once("an execution was too long for its decisions to be kept; its finding cannot be replayed");
  }
  state_.publish(std::move(reported));
  return true;
}

// A program that never creates a task decides nothing, so its replay is one more start of it.
bool Worker::comes_again_without_tasks(const ResolvedFinding& finding) {
  auto started = Target::start(target_settings());
  if (!started.is_ok()) return false;
  Target& again = *started.value();
  const Arrival arrival = again.wait_for_arrival();
  if (arrival != Arrival::ended && arrival != Arrival::replaced) return false;
  ExecutionRecord record = record_execution(again, ExecutionEnd::ended, options_.timeout);
  Symboliser words(options_.executable, modules_of(again.channel()));
  return std::any_of(record.findings.begin(), record.findings.end(), [&](const FindingRecord& other) {
    return resolve_finding(other, record.tasks, words, record.weak_reads) == finding;
  });
}

Schedule Worker::schedule_of(const Job& job, const ExecutionRecord& record) {
  ScheduleOrigin origin;
  origin.program = options_.program;
  origin.executable = options_.executable;
  origin.campaign_strategy = options_.strategy;
  origin.campaign_seed = options_.seed;
  origin.execution = job.execution;
  origin.launch = target_->launch();
  origin.plan = job.planned.plan;
  const std::size_t sites = std::min<std::size_t>(record.sites_known, sites_.size());
  return build_schedule(origin, record, std::span(sites_.data(), sites), *modules_);
}

void Worker::save_internal_error(const Job& job, const ExecutionRecord& record) {
  const std::filesystem::path path = std::filesystem::path(options_.out) / "internal-error.ravel";
  const Status saved = write_schedule(schedule_of(job, record), path.string());
  state_.fail_internally(record.internal_error, saved.is_ok() ? path.string() : "");
}

}  // namespace ravel
