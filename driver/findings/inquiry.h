// SPDX-License-Identifier: Apache-2.0
// Inquiry: the way of a finding from the record that an execution left to what is printed. The steps, in this order:
//
//   1. identify   which finding is it? Its signature is the same in every execution that shows it.
//   2. complete   both sides of it, and the names of local variables: from a repetition that keeps them (evidence.h)
//   3. shrink     the fewest preemptions that still show it, and the operations that decide (finding_shrinker.h)
//   4. confirm    a strict replay shows the same finding in the same words
//   5. explain    how it came about, step by step (explain_finding.h)
//
// conclude() takes a completed finding through 3 to 5. What is done with it then is for the caller: a campaign
// publishes it, `ravel replay` compares it with its schedule's.
//
// Who calls it: campaign workers and Replay, one for each RunningProgram, which makes the executions that the steps
// need. Thread safety: as RunningProgram: one thread.
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
  std::optional<CompleteFinding> complete;  // when it was needed for the signature
};

struct ConcludedFinding {
  CompleteFinding found;
  ExecutionRecord record;                // that shows it: the shrunk execution, or the one it was found in
  std::optional<ExecutionRecord> again;  // the strict replay of it that showed the same in the same words
  bool ended_in_replay = false;          // a replay came to its end, whatever it showed
  std::optional<Explanation> explanation;
};

class Inquiry {
 public:
  explicit Inquiry(RunningProgram& program) : program_(program) {}

  // nullptr when no such finding was identified since the program loaded its modules.
  const std::string* known_signature(const FindingRecord& finding);
  IdentifiedFinding identify(const FindingRecord& finding, const ExecutionRecord& record);

  CompleteFinding complete(const FindingRecord& finding, const ExecutionRecord& record);

  // Can the execution be tried a thousand times? Not when it has to time out, or when the clock took part in it.
  static bool can_shrink(const ExecutionRecord& record, FindingKind kind);

  // Without a budget the finding is not shrunk, and not explained.
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

// A finding of an execution as reports take it; who publishes it adds number, count and schedule.
ReportedFinding reported(ResolvedFinding finding, const ExecutionRecord& record);

// The schedule is one of this finding.
void set_finding(Schedule& schedule, const ResolvedFinding& finding);

}  // namespace ravel
