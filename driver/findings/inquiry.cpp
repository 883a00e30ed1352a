// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/inquiry.h"

#include <utility>

#include "driver/findings/explain_finding.h"

namespace ravel {

const std::string* Inquiry::known_signature(const FindingRecord& finding) {
  if (modules_version_ != program_.modules_version()) {
    modules_version_ = program_.modules_version();
    signatures_.clear();
  }
  const auto known = signatures_.find(record_key(finding));
  return known == signatures_.end() ? nullptr : &known->second;
}

IdentifiedFinding Inquiry::identify(const FindingRecord& finding, const ExecutionRecord& record) {
  if (const std::string* const known = known_signature(finding)) return {*known, std::nullopt};
  IdentifiedFinding result;
  if (is_half_known(finding)) {
    result.complete = complete(finding, record);
    result.signature = result.complete->finding.signature;
  } else {
    result.signature = at_first_sight(finding, record).signature;
  }
  // Without its other side the signature is another one.
  const bool is_whole = !is_half_known(finding) || !program_.deadline().has_come();
  if (is_whole) signatures_.emplace(record_key(finding), result.signature);
  return result;
}

CompleteFinding Inquiry::complete(const FindingRecord& finding, const ExecutionRecord& record) {
  CompleteFinding found{{finding, {}}, {}};
  if (wants_evidence(finding)) {
    if (!is_half_known(finding) && !record.creations.empty()) {
      found.evidence.creations = record.creations;  // the execution kept everything there is
    } else if (record.replayable() && !record.without_tasks) {
      auto again = program_.replay(record, evidence_request(finding));
      if (again.is_ok()) {
        if (std::optional<Evidence> full = evidence_from(std::move(again.value()), finding)) {
          found.evidence = std::move(*full);
        }
      }
    }
  }
  found.finding = in_words(found.evidence, record);
  return found;
}

ResolvedFinding Inquiry::in_words(const Evidence& evidence, const ExecutionRecord& record) {
  return resolve_finding(evidence.finding, record.tasks, program_.symboliser(), record.weak_reads, evidence.creations);
}

bool Inquiry::can_shrink(const ExecutionRecord& record, FindingKind kind) {
  return !record.without_tasks && record.replayable() && record.summary.external == 0 &&
         record.end == ExecutionEnd::ended && kind != FindingKind::timeout;
}

ConcludedFinding Inquiry::conclude(const ExecutionRecord& record, CompleteFinding found, const ShrinkBudget* budget) {
  // As it is first: whatever comes in between, there is then something to report.
  Confirmation confirmed = confirm(record, found);
  const bool shrinks = budget != nullptr && can_shrink(record, found.finding.kind);
  if (shrinks) {
    FindingShrinker shrinker(program_, *this, {found.finding.kind, found.finding.signature}, *budget);
    if (std::optional<ShrunkFinding> shrunk = shrinker.run(record)) {
      // A shorter schedule is accepted only if it replays.
      if (Confirmation again = confirm(shrunk->record, *shrunk); again.same) {
        Explanation explanation = explain_finding(*shrunk, program_.symboliser());
        // Short executions are shrunk as far as anybody wants to know within the budget.
        constexpr std::uint64_t kShort = 2'000;  // steps
        const bool goes_on = shrunk->exhausted && shrunk->record.summary.steps > kShort;
        return {std::move(*shrunk), std::move(shrunk->record), std::move(again.same),
                again.ended,        std::move(explanation),    goes_on ? "shrunk as far as the time allowed" : ""};
      }
    }
  }
  ConcludedFinding result{std::move(found), record, std::move(confirmed.same), confirmed.ended, {}, {}};
  const char* const left_out = !result.again ? "not run again" : shrinks ? "not shrunk" : nullptr;
  if (left_out != nullptr && program_.deadline().has_come()) {
    result.unfinished = std::string(left_out) + ": " + program_.deadline().reason();
  }
  return result;
}

Inquiry::Confirmation Inquiry::confirm(const ExecutionRecord& record, const CompleteFinding& found) {
  if (!record.replayable()) return {};
  WatchRequest watch = evidence_request(found.evidence.finding);
  if (found.evidence.creations.empty()) watch.creations = 0;  // the same words need the same knowledge
  auto again = program_.replay(record, watch);
  if (!again.is_ok()) return {};
  Confirmation result;
  result.ended = again.value().end == ExecutionEnd::ended;
  for (const FindingRecord& other : again.value().findings) {
    if (in_words({other, again.value().creations}, again.value()) != found.finding) continue;
    result.same = std::move(again.value());
    break;
  }
  return result;
}

ReportedFinding reported(ResolvedFinding finding, const ExecutionRecord& record) {
  ReportedFinding entry;
  entry.finding = std::move(finding);
  entry.count = 1;
  entry.preemptions = record.summary.preemptions;
  entry.tasks = record.summary.tasks;
  entry.output = record.output;
  entry.output_truncated = record.output_truncated;
  entry.best_effort = (record.summary.external & kExternalWait) != 0;
  return entry;
}

void set_finding(Schedule& schedule, const ResolvedFinding& finding) {
  schedule.finding = finding.kind;
  schedule.finding_message = finding.message;
  schedule.finding_id = finding.signature;
}

}  // namespace ravel
