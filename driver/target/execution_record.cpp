// SPDX-License-Identifier: Apache-2.0
#include "driver/target/execution_record.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace ravel {
namespace {

// Such a finding explains why the process died or what it returned.
bool explains_death(FindingKind kind) {
  switch (kind) {
    case FindingKind::assertion:
    case FindingKind::abort:
    case FindingKind::signal:
    case FindingKind::uncaught_exception:
    case FindingKind::use_after_free:
    case FindingKind::double_free:
    case FindingKind::bad_free:
    case FindingKind::timeout:
    case FindingKind::deadlock:
    case FindingKind::lost_wakeup:
    case FindingKind::livelock:
    case FindingKind::user:
      return true;
    default:
      return false;
  }
}

FindingRecord concluded(FindingKind kind, const std::string& message, const Channel& channel) {
  FindingRecord record;
  record.kind = kind;
  record.step = channel.result.summary.steps;
  const std::size_t size = std::min(message.size(), sizeof record.message - 1);
  std::memcpy(record.message, message.data(), size);
  return record;
}

template <typename T>
void copy(std::vector<T>& to, std::span<const T> from) {
  to.assign(from.begin(), from.end());
}

std::string text_of(const char* field, std::size_t capacity) { return std::string(field, ::strnlen(field, capacity)); }

}  // namespace

std::string signal_text(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? fmt::format("signal {} (SIG{})", number, name) : fmt::format("signal {}", number);
}

std::string duration_text(std::chrono::nanoseconds duration) {
  using namespace std::chrono;
  const auto total = duration_cast<milliseconds>(duration).count();
  if (total % 1000 != 0) return fmt::format("{}ms", total);
  const auto seconds = total / 1000;
  if (seconds >= 60 && seconds % 60 == 0) return fmt::format("{}m", seconds / 60);
  return fmt::format("{}s", seconds);
}

std::vector<FindingRecord> findings_of(Target& target, ExecutionEnd end, std::chrono::nanoseconds timeout) {
  const Channel& channel = target.channel();
  const auto recorded = findings_of(channel);
  std::vector<FindingRecord> findings;
  std::copy_if(recorded.begin(), recorded.end(), std::back_inserter(findings),
               [](const FindingRecord& record) { return !record.unseen; });
  const bool explained = std::any_of(findings.begin(), findings.end(),
                                     [](const FindingRecord& record) { return explains_death(record.kind); });
  if (end == ExecutionEnd::cut || end == ExecutionEnd::target_lost) return findings;
  if (end == ExecutionEnd::timed_out) {
    if (!explained) {
      const std::string stuck = text_of(channel.result.stuck, sizeof channel.result.stuck);
      findings.push_back(concluded(FindingKind::timeout,
                                   fmt::format("the execution did not end within {}{}{}", duration_text(timeout),
                                               stuck.empty() ? "" : "; it was in ", stuck),
                                   channel));
    }
    return findings;
  }
  const Outcome outcome = channel.result.summary.outcome;
  if (explained || (outcome != Outcome::running && outcome != Outcome::ended)) return findings;
  const int status = target.wait_status();
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGABRT) {
      findings.push_back(concluded(FindingKind::abort, "the program called abort", channel));
    } else {
      findings.push_back(
          concluded(FindingKind::signal, fmt::format("the program was killed by {}", signal_text(number)), channel));
      findings.back().signal_number = static_cast<std::uint8_t>(number);
    }
  } else if (WIFEXITED(status) && !target.is_ok_exit(WEXITSTATUS(status))) {
    findings.push_back(concluded(FindingKind::exit_code,
                                 fmt::format("the program ended with exit code {}", WEXITSTATUS(status)), channel));
  }
  return findings;
}

std::vector<FindingRecord> unclear_races_of(const Channel& channel) {
  const auto recorded = findings_of(channel);
  std::vector<FindingRecord> races;
  std::copy_if(recorded.begin(), recorded.end(), std::back_inserter(races),
               [](const FindingRecord& record) { return static_cast<bool>(record.unseen); });
  return races;
}

ExecutionView view_execution(const Channel& channel) {
  ExecutionView view{channel.result.summary};
  view.decisions = decisions_of(channel);
  view.new_sites = static_cast<std::uint32_t>(new_sites_of(channel).size());
  if (channel.request.plan.trace == TraceLevel::none) return view;
  view.trace = trace_of(channel);
  view.offered = offered_of(channel);
  view.waiting = waiting_of(channel);
  return view;
}

ExecutionRecord record_execution(Target& target, ExecutionEnd end, std::chrono::nanoseconds timeout) {
  const Channel& channel = target.channel();
  ExecutionRecord record;
  record.end = end;
  record.summary = channel.result.summary;
  record.wait_status = target.wait_status();
  record.plan = channel.request.plan;
  record.sites_known = channel.request.sites_known;
  record.findings = findings_of(target, end, timeout);
  record.unclear_races = unclear_races_of(channel);
  const ExecutionView view = view_execution(channel);
  copy(record.decisions, view.decisions);
  copy(record.trace, view.trace);
  copy(record.offered, view.offered);
  copy(record.waiting, view.waiting);
  if (channel.request.plan.trace == TraceLevel::values) {
    copy(record.accesses, accesses_of(channel));
    copy(record.access_stacks, access_stacks_of(channel));
    copy(record.step_stacks, step_stacks_of(channel));
    copy(record.allocations, allocations_of(channel));
  }
  copy(record.tasks, tasks_of(channel));
  copy(record.creations, creations_of(channel));
  const std::uint64_t reads = channel.result.weak_reads;
  for (std::uint64_t i = reads > kMaxWeakReads ? reads - kMaxWeakReads : 0; i < reads; ++i) {
    record.weak_reads.push_back(channel.result.weak_read[i % kMaxWeakReads]);
  }
  if (!record.tasks.empty()) record.tasks[0].creator = kNoTask;  // fresh shared memory is zero, which would say T0
  record.output = target.output().text();
  record.output_truncated = target.output().dropped_bytes() > 0;
  if (channel.result.summary.outcome == Outcome::internal_error) {
    record.internal_error = text_of(channel.result.internal_error, sizeof channel.result.internal_error);
    if (record.internal_error.empty()) record.internal_error = "a check inside the runtime failed";
  }
  return record;
}

}  // namespace ravel
