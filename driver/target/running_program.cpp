// SPDX-License-Identifier: Apache-2.0
#include "driver/target/running_program.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "driver/target/execution_difference.h"

namespace ravel {
namespace {

Status was_cut(const Deadline& deadline) {
  return Status::trouble(deadline.interrupted() ? "interrupted" : "the time was up", "");
}

}  // namespace

RunningProgram::RunningProgram(TargetSettings settings)
    : settings_(std::move(settings)), modules_(settings_.executable), sites_(settings_.executable) {}

RunningProgram::RunningProgram(TargetSettings settings, SiteList sites)
    : settings_(std::move(settings)), modules_(settings_.executable), sites_(std::move(sites)) {}

void RunningProgram::set_deadline(const Deadline& deadline) {
  settings_.deadline = deadline;
  if (target_ != nullptr) target_->set_deadline(deadline);
}

void RunningProgram::need_identities(std::uint32_t identities) {
  settings_.launch.identities = std::max(settings_.launch.identities, identities);
}

bool RunningProgram::is_ready() const {
  return target_ != nullptr && target_->can_execute() && target_->launch().identities >= settings_.launch.identities;
}

Status RunningProgram::start() {
  target_.reset();  // before starting the new one: two processes at a time would compete
  addresses_.clear();
  located_ = 0;
  written_ = 0;
  auto started = Target::start(settings_);
  if (!started.is_ok()) return started.status();
  target_ = std::move(started.value());
  return Status::ok();
}

Result<Arrival> RunningProgram::make_ready() {
  if (settings_.deadline.has_come()) return was_cut(settings_.deadline);
  if (is_ready()) return target_->forks() ? Arrival::forks : Arrival::single;
  if (Status status = start(); !status.is_ok()) return status;
  const Arrival arrival = target_->wait_for_arrival();
  if (arrival == Arrival::cut) return was_cut(settings_.deadline);
  if (arrival == Arrival::too_slow) {
    return Status::trouble(
        fmt::format("{} did not {} within {}, so there was nothing to control yet", name(),
                    settings_.launch.explored_call != 0 ? "come to its call of ravel::explore" : "create a thread",
                    duration_text(settings_.timeout)),
        "if its start-up takes that long, allow more: --timeout 60s; if it waits for input, give it: < FILE");
  }
  take_modules();
  const bool missed = arrival == Arrival::ended || arrival == Arrival::replaced;
  if (missed && settings_.launch.explored_call != 0) {
    if (Status status = misuse(ExecutionEnd::cut); !status.is_ok()) return status;
    return Status::trouble(
        fmt::format("{} was started again for its call of ravel::explore, and ended before it", name()),
        "what it does up to the call may depend on its arguments and environment only");
  }
  return arrival;
}

Status RunningProgram::misuse(ExecutionEnd end) const {
  if (settings_.launch.explored_call == 0) return Status::ok();
  const ResultHead& result = channel().result;
  if (result.misuse[0] != '\0') {
    return Status::trouble(std::string(result.misuse, ::strnlen(result.misuse, sizeof result.misuse)),
                           "docs/tutorial.md says what a body may do");
  }
  // The runtime says how an execution ends; only another program in its place does not.
  const bool replaced = end == ExecutionEnd::ended && result.summary.outcome == Outcome::running &&
                        WIFEXITED(target_->wait_status()) && result.findings == 0;
  if (!replaced) return Status::ok();
  return Status::trouble("the body of ravel::explore replaces the process with another program (exec)",
                         "start it as a child instead, outside the body");
}

void RunningProgram::take_modules() {
  if (modules_.refresh(modules_of(target_->channel()))) ++modules_version_;
}

std::uint32_t RunningProgram::sites_now() {
  for (; located_ < sites_.size(); ++located_) {
    const auto address = sites_.address(located_, modules_.map());
    if (address && addresses_.size() < kMaxSites) addresses_.push_back(*address);
  }
  return static_cast<std::uint32_t>(addresses_.size());
}

ExecutionEnd RunningProgram::execute(const PlannedExecution& planned, std::uint32_t sites_known,
                                     const WatchRequest& watch) {
  sites_known = std::min(sites_known, sites_now());
  Channel& channel = target_->channel();
  for (; written_ < sites_known; ++written_) channel.request.site[written_] = addresses_[written_];
  written_ = sites_known;  // the execution appends the ones it finds
  ExecutionEnd end = target_->execute(planned, sites_known, watch);
  if (channel.result.earlier != 0) {
    if (++resident_executions_ == next_compared_) {
      // Often at first, then seldom.
      next_compared_ += std::min<std::uint64_t>(next_compared_, 16384);
      // An execution that depends on the outside need not be the same twice.
      const bool comparable = end == ExecutionEnd::ended && channel.result.summary.external == 0;
      if (comparable) end = compare_with_fork(end, planned, sites_known, watch);
    }
  }
  take_modules();
  return end;
}

ExecutionRecord RunningProgram::record(ExecutionEnd end) {
  const auto labels = labels_of(channel());
  if (!labels.empty()) symboliser().use_labels(labels);
  return record_execution(*target_, end, settings_.timeout);
}

ExecutionEnd RunningProgram::compare_with_fork(ExecutionEnd end, const PlannedExecution& planned,
                                               std::uint32_t sites_known, const WatchRequest& watch) {
  const auto by_fork = [&] { return target_->execute(planned, sites_known, watch, true); };
  const ExecutionRecord resident = record(end);
  end = by_fork();
  if (end != ExecutionEnd::ended) return end;
  const ExecutionRecord forked = record(end);
  if (are_equal(resident, forked)) return end;
  // Where executions differ by themselves, a comparison says nothing, and others tell the user.
  end = by_fork();
  if (end == ExecutionEnd::ended && are_equal(forked, record(end))) {
    residence_trouble_ =
        "an execution in a process that had performed others before was not the same as one in a process of its own; "
        "from there on every execution had its own process";
  }
  settings_.launch.resident = 0;
  target_->channel().launch.options.resident = 0;
  return end;
}

Result<ExecutionRecord> RunningProgram::perform(const PlannedExecution& planned, std::uint32_t sites_known,
                                                const WatchRequest& watch) {
  const Result<Arrival> arrival = make_ready();
  if (!arrival.is_ok()) return arrival.status();
  if (arrival.value() == Arrival::ended || arrival.value() == Arrival::replaced) {
    ExecutionRecord all = record(ExecutionEnd::ended);
    all.without_tasks = true;
    all.summary.tasks = std::max(all.summary.tasks, 1U);
    return all;
  }
  const ExecutionEnd end = execute(planned, sites_known, watch);
  if (end == ExecutionEnd::cut) return was_cut(settings_.deadline);
  if (end == ExecutionEnd::target_lost) {
    return Status::trouble(fmt::format("the process of {} died outside the execution", name()),
                           "check whether it runs without Ravel");
  }
  if (Status status = misuse(end); !status.is_ok()) return status;
  return record(end);
}

Result<ExecutionRecord> RunningProgram::replay(const ExecutionRecord& record, const WatchRequest& watch,
                                               TraceLevel trace) {
  Plan plan = strict_replay_plan(record.plan);
  plan.trace = trace;
  return perform({plan, record.decisions}, record.sites_known, watch);
}

Result<ExecutionEnd> RunningProgram::run_freely(const NoisePlan& plan, std::span<const std::uint64_t> sites,
                                                std::span<const std::uint8_t> weights, const Target::Look& look) {
  if (Status status = start(); !status.is_ok()) return status;
  std::copy(sites.begin(), sites.end(), target_->channel().request.site);
  std::copy(weights.begin(), weights.end(), target_->channel().request.site_weight);
  const Arrival arrival = target_->wait_for_arrival();
  if (arrival == Arrival::cut) return ExecutionEnd::cut;
  if (arrival != Arrival::single) {
    return Status::trouble(fmt::format("{} could not be started with Ravel in it", name()),
                           "ravel doctor -- PROGRAM shows what is in the way");
  }
  return target_->run_freely(plan, static_cast<std::uint32_t>(sites.size()), look);
}

void RunningProgram::learn_new_sites() {
  for (const std::uint64_t pc : new_sites()) sites_.add(pc, modules_.map());
}

Schedule RunningProgram::schedule_of(const ExecutionRecord& record, const ScheduleOrigin& origin) {
  const std::size_t sites = std::min<std::size_t>(record.sites_known, sites_now());
  return build_schedule(settings_, target_->launch(), origin, record, std::span(addresses_).first(sites),
                        modules_.map());
}

}  // namespace ravel
