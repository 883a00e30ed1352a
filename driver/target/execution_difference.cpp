// SPDX-License-Identifier: Apache-2.0
#include "driver/target/execution_difference.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "reports/finding_report.h"

namespace ravel {
namespace {

bool same_step(const Operation& a, const Operation& b) { return a.task == b.task && a.kind == b.kind && a.pc == b.pc; }

// Guesses from what the traces show before the first difference, from the most reliable sign to the vaguest.
const char* probable_cause(const ExecutionRecord& first, const ExecutionRecord& second, std::size_t difference) {
  if (first.summary.external != 0 || second.summary.external != 0) {
    return "a blocking call that Ravel does not control (input, another process)";
  }
  for (std::size_t i = 0; i < difference && i < first.trace.size() && i < second.trace.size(); ++i) {
    if (first.trace[i].operation.object != second.trace[i].operation.object) {
      return "behaviour that depends on addresses: the same operation touched different memory before";
    }
  }
  return "randomness, time or input that Ravel does not control (files, other processes, CPU instructions such as "
         "rdtsc)";
}

}  // namespace

std::optional<std::size_t> first_difference(std::span<const TraceEvent> first, std::span<const TraceEvent> second) {
  const std::size_t common = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (!same_step(first[i].operation, second[i].operation)) return i;
  }
  if (first.size() != second.size()) return common;
  return std::nullopt;
}

std::string step_text(const Operation& operation, Symboliser& symboliser) {
  const std::vector<Frame>& frames = symboliser.code_of(operation);
  const Frame* const frame = user_frame(frames);
  return fmt::format("{} {}{}{}", task_text(operation.task), operation_text(operation), frame != nullptr ? " at " : "",
                     frame != nullptr ? location_text(*frame) : "");
}

namespace {

bool same_operation(const Operation& a, const Operation& b) {
  return same_step(a, b) && a.object == b.object && a.size == b.size && a.value == b.value;
}

bool same_stack(const StackRecord& a, const StackRecord& b) {
  return a.count == b.count && std::equal(a.frames, a.frames + std::min<std::size_t>(a.count, kMaxFrames), b.frames);
}

bool same_finding(const FindingRecord& a, const FindingRecord& b) {
  if (a.kind != b.kind || a.task != b.task || a.step != b.step || a.signal_number != b.signal_number ||
      a.address != b.address || a.fault_address != b.fault_address || a.participants != b.participants ||
      std::strncmp(a.message, b.message, sizeof a.message) != 0) {
    return false;
  }
  for (std::size_t i = 0; i < a.participants && i < kMaxParticipants; ++i) {
    const ParticipantRecord& mine = a.participant[i];
    const ParticipantRecord& other = b.participant[i];
    if (!same_operation(mine.operation, other.operation) || mine.holder != other.holder ||
        !same_stack(mine.stack, other.stack)) {
      return false;
    }
  }
  return true;
}

bool same_summary(const ExecutionSummary& a, const ExecutionSummary& b) {
  return a.outcome == b.outcome && a.tasks == b.tasks && a.steps == b.steps && a.choices == b.choices &&
         a.switches == b.switches && a.preemptions == b.preemptions && a.order_hash == b.order_hash &&
         a.memory_accesses == b.memory_accesses && a.virtual_nanoseconds == b.virtual_nanoseconds &&
         a.external == b.external && a.divergence.step == b.divergence.step;
}

}  // namespace

bool are_equal(const ExecutionRecord& first, const ExecutionRecord& second) {
  const auto same_event = [](const TraceEvent& a, const TraceEvent& b) {
    return same_operation(a.operation, b.operation);
  };
  return first.end == second.end && first.wait_status == second.wait_status &&
         same_summary(first.summary, second.summary) && first.decisions == second.decisions &&
         std::equal(first.findings.begin(), first.findings.end(), second.findings.begin(), second.findings.end(),
                    same_finding) &&
         std::equal(first.trace.begin(), first.trace.end(), second.trace.begin(), second.trace.end(), same_event);
}

std::string explain_difference(const ExecutionRecord& first, const ExecutionRecord& second, Symboliser& symboliser) {
  const auto difference = first_difference(first.trace, second.trace);
  if (!difference) {
    if (first.summary.order_hash == second.summary.order_hash && first.summary.outcome == second.summary.outcome &&
        first.wait_status == second.wait_status) {
      return {};
    }
    return fmt::format("the same schedule ended differently the second time; probable cause: {}",
                       probable_cause(first, second, first.trace.size()));
  }
  const auto side = [&](const ExecutionRecord& record) {
    return *difference < record.trace.size() ? step_text(record.trace[*difference].operation, symboliser)
                                             : std::string("nothing (the execution had ended)");
  };
  return fmt::format(
      "the same schedule did different things: step {} was {}, and the second time {}; probable cause: {}",
      *difference + 1, side(first), side(second), probable_cause(first, second, *difference));
}

}  // namespace ravel
