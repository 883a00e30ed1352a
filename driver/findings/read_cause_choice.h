// SPDX-License-Identifier: Apache-2.0
// ReadCauseChoice: which of the reads that saw something else decides between failing and passing. It is given
// executions of both kinds, walks backwards from the failure in comparison with each that passes (read_cause.h), and
// counts for what comes of it how the others ended that saw the same there, and those that saw something else.
//
// Who calls it: FindingShrinker, after find_cause(). Thread safety: as SymbolSource.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "driver/findings/access_standing.h"
#include "driver/findings/cause.h"
#include "driver/findings/read_cause.h"
#include "driver/target/execution_record.h"

namespace ravel {

class ReadCauseChoice {
 public:
  // `failing`: with TraceLevel::values, like all others. It must outlive this object.
  // `tasks`: those that failed, or could not go on.
  ReadCauseChoice(const ExecutionRecord& failing, std::vector<TaskId> tasks, SymbolSource& symbols);

  // Another execution: it passed, or it showed the same finding.
  // `failed`: the tasks that did.
  void add(ExecutionRecord record, bool passes, const std::vector<TaskId>& failed);

  // In terms of the failing execution; nullopt when no read explains it.
  std::optional<Cause> best();

  // A passing execution has the same wait, and its time was up there, too. `wait`: a step of the failing execution.
  bool passes_with_wait(std::size_t wait) const;

  // The pair is how the library counts and synchronises: what makes one task wait for the other.
  bool only_synchronises(const Cause& cause);

  // Counts how the executions ended that made the pair of a cause that is no read, and where others make what is
  // missing.
  void judge(Cause& cause) const;

 private:
  struct Sample {
    Sample(ExecutionRecord from, const ExecutionLog& failing, bool passed)
        : record(std::move(from)), log(record), match(failing, log), passes(passed) {}
    ExecutionRecord record;
    ExecutionLog log;
    LogMatch match;
    bool passes;
    std::size_t distance = 0;  // reads that saw something else
    bool is_like = true;       // of those that fail: it failed where the other did
  };
  struct Candidate {
    ReadCause cause;
    const Sample* passing = nullptr;
    TrialCounts counts;
  };

  std::optional<bool> as_here(const ReadCause& cause, std::size_t third, const Sample& sample) const;
  // `with`: both pairs so, or one of them the other way round.
  TrialCounts count(const ReadCause& cause, const ReadCause* with = nullptr) const;
  void make_whole(Candidate& best, const std::vector<Candidate>& all) const;
  bool begins_with_read(const ReadCause& cause) const;
  std::size_t event_at(std::size_t place) const;  // kNoEvent: there is none
  bool add_partner(Candidate& best, const std::vector<Candidate>& all) const;
  void leave_out_look_before_wait(Candidate& best) const;
  std::size_t comes_back(const ReadCause& cause) const;
  std::vector<Candidate> ranked(std::vector<Candidate> all) const;  // what remains, the best first
  Cause told(const Candidate& candidate) const;
  bool decides(const TrialCounts& counts) const;
  const StackRecord* stack_like(const Operation& operation) const;  // nullptr: no execution makes it

  const ExecutionRecord& failing_;
  std::vector<TaskId> tasks_;
  AccessStanding standing_;
  ExecutionLog log_;
  std::deque<Sample> samples_;
  std::size_t tried_ = 0;
  std::set<std::uint64_t> orders_;  // of tasks: the same execution counts once
};

}  // namespace ravel
