// SPDX-License-Identifier: Apache-2.0
// Inquiry: takes a finding from the record that an execution left to what is printed. The steps, in this order:
//
//   1. identify   which finding is it? Its signature is the same in every execution that shows it.
//   2. complete   both sides of it, and the names of local variables: from a repetition that keeps them (evidence.h)
//   3. confirm    a strict replay shows the same finding in the same words
//   4. shrink     the fewest preemptions that still show it, and the operations that decide (finding_shrinker.h); the
//                 result is confirmed like the original
//   5. explain    how it came about, step by step (explain_finding.h)
//
// conclude() takes a completed finding through 3 to 5, as far as the program's deadline allows. What happens to it then
// is up to the caller: a campaign publishes it, `ravel replay` compares it with the finding of its schedule.
//
// Who calls it: campaign workers and Replay. Each has one per RunningProgram, which performs the executions that the
// steps need. Thread safety: as RunningProgram: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "driver/findings/evidence.h"
#include "driver/findings/finding_shrinker.h"
#include "driver/target/running_program.h"
#include "reports/campaign_result.h"
#include "reports/explanation.h"

namespace ravel {

struct IdentifiedFinding {
  std::string signature;
  std::optional<CompleteFinding> complete;  // if it was needed for the signature
};

struct ConcludedFinding {
  CompleteFinding found;
  ExecutionRecord record;                // the one that shows it: shrunk, or as it was found
  std::optional<ExecutionRecord> again;  // its strict replay, which showed the same finding in the same words
  bool ended_in_replay = false;          // a replay reached its end, whatever it showed
  std::optional<Explanation> explanation;
  std::string unfinished;  // "not shrunk: the time was up"; empty: everything that was asked for was done
};

class Inquiry {
 public:
  explicit Inquiry(RunningProgram& program) : program_(program) {}

  // nullptr when no such finding has been identified since the program last loaded its modules.
  const std::string* known_signature(const FindingRecord& finding);
  IdentifiedFinding identify(const FindingRecord& finding, const ExecutionRecord& record);

  // In words, as far as its own execution tells.
  ResolvedFinding at_first_sight(const FindingRecord& finding, const ExecutionRecord& record) {
    return in_words({finding, {}}, record);
  }

  CompleteFinding complete(const FindingRecord& finding, const ExecutionRecord& record);

  // Can the execution be tried a thousand times? Not if it has to time out, or if the clock influenced it.
  static bool can_shrink(const ExecutionRecord& record, FindingKind kind);

  // Without a budget the finding is neither shrunk nor explained.
  ConcludedFinding conclude(const ExecutionRecord& record, CompleteFinding found, const ShrinkBudget* budget);

 private:
  struct Confirmation {
    std::optional<ExecutionRecord> same;
    bool ended = false;
  };
  Confirmation confirm(const ExecutionRecord& record, const CompleteFinding& found);
  ResolvedFinding in_words(const Evidence& evidence, const ExecutionRecord& record);

  RunningProgram& program_;
  std::uint64_t modules_version_ = 0;
  std::unordered_map<std::uint64_t, std::string> signatures_;  // by record_key, for modules_version_
};

// A finding of an execution in the form that reports take; whoever publishes it adds number, count and schedule.
ReportedFinding reported(ResolvedFinding finding, const ExecutionRecord& record);

// Makes the schedule one of this finding.
void set_finding(Schedule& schedule, const ResolvedFinding& finding);

}  // namespace ravel
