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

// A record of such a kind tells why the process died or returned what it did.
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
  record.step = channel.summary.steps;
  const std::size_t size = std::min(message.size(), sizeof record.message - 1);
  std::memcpy(record.message, message.data(), size);
  return record;
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
  const auto recorded = std::min<std::size_t>(channel.findings, kMaxFindings);
  std::vector<FindingRecord> findings(channel.finding, channel.finding + recorded);
  const bool explained = std::any_of(findings.begin(), findings.end(),
                                     [](const FindingRecord& record) { return explains_death(record.kind); });
  if (end == ExecutionEnd::interrupted || end == ExecutionEnd::target_lost) return findings;
  if (end == ExecutionEnd::timed_out) {
    if (!explained) {
      const std::string stuck = text_of(channel.stuck, sizeof channel.stuck);
      findings.push_back(concluded(FindingKind::timeout,
                                   fmt::format("the execution did not end within {}{}{}", duration_text(timeout),
                                               stuck.empty() ? "" : "; it was in ", stuck),
                                   channel));
    }
    return findings;
  }
  const Outcome outcome = channel.summary.outcome;
  if (explained || (outcome != Outcome::running && outcome != Outcome::ended)) return findings;
  const int status = target.wait_status();
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGABRT) {
      findings.push_back(concluded(FindingKind::abort, "the program called abort", channel));
    } else {
      findings.push_back(
          concluded(FindingKind::signal, fmt::format("the program died of {}", signal_text(number)), channel));
      findings.back().signal_number = static_cast<std::uint8_t>(number);
    }
  } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    findings.push_back(concluded(FindingKind::exit_code,
                                 fmt::format("the program ended with exit code {}", WEXITSTATUS(status)), channel));
  }
  return findings;
}

ExecutionView view_execution(const Channel& channel) {
  ExecutionView view{channel.summary};
  view.decisions = std::span(channel.decision, std::min<std::size_t>(channel.summary.decision_runs, kMaxDecisionRuns));
  if (channel.sites > channel.sites_known) view.new_sites = channel.sites - channel.sites_known;
  if (channel.plan.trace == TraceLevel::none) return view;
  view.trace = std::span(channel.trace, std::min<std::size_t>(channel.summary.trace_events, kMaxTraceEvents));
  view.offered = std::span(channel.offered, std::min<std::size_t>(channel.summary.offered, kMaxOffered));
  view.waiting = std::span(channel.waiting, std::min<std::size_t>(channel.summary.waiting, kMaxTaskRecords));
  return view;
}

ExecutionRecord record_execution(Target& target, ExecutionEnd end, std::chrono::nanoseconds timeout) {
  const Channel& channel = target.channel();
  ExecutionRecord record;
  record.end = end;
  record.summary = channel.summary;
  record.wait_status = target.wait_status();
  record.plan = channel.plan;
  record.sites_known = channel.sites_known;
  record.findings = findings_of(target, end, timeout);
  const ExecutionView view = view_execution(channel);
  record.decisions.assign(view.decisions.begin(), view.decisions.end());
  record.trace.assign(view.trace.begin(), view.trace.end());
  record.offered.assign(view.offered.begin(), view.offered.end());
  record.waiting.assign(view.waiting.begin(), view.waiting.end());
  if (channel.plan.trace == TraceLevel::values) {
    const auto accesses = std::min<std::size_t>(channel.summary.trace_accesses, kMaxTraceAccesses);
    record.accesses.assign(channel.access, channel.access + accesses);
    record.access_stacks.assign(channel.access_stack, channel.access_stack + std::min(accesses, kMaxAccessStacks));
    const std::size_t stacks = std::min(view.trace.size(), kMaxStepStacks);
    record.step_stacks.assign(channel.step_stack, channel.step_stack + stacks);
    const auto allocations = std::min<std::size_t>(channel.allocations, kMaxAllocations);
    record.allocations.assign(channel.allocation, channel.allocation + allocations);
  }
  const auto tasks = std::min<std::size_t>(channel.summary.tasks, kMaxTaskRecords);
  record.tasks.assign(channel.task, channel.task + tasks);
  const std::size_t creations = std::min({tasks, std::size_t{channel.creations}, kMaxCreations});
  record.creations.assign(channel.creation, channel.creation + creations);
  const std::uint64_t reads = channel.weak_reads;
  for (std::uint64_t i = reads > kMaxWeakReads ? reads - kMaxWeakReads : 0; i < reads; ++i) {
    record.weak_reads.push_back(channel.weak_read[i % kMaxWeakReads]);
  }
  if (!record.tasks.empty()) record.tasks[0].creator = kNoTask;  // fresh shared memory is zero, which would say T0
  record.output = target.output().text();
  record.output_truncated = target.output().dropped_bytes() > 0;
  if (channel.summary.outcome == Outcome::internal_error) {
    record.internal_error = text_of(channel.internal_error, sizeof channel.internal_error);
    if (record.internal_error.empty()) record.internal_error = "a check inside the runtime failed";
  }
  return record;
}

}  // namespace ravel
