// SPDX-License-Identifier: Apache-2.0
// ExecutionObserver: makes an ObservedExecution of the record of an execution: places in the source, variables by their
// names, who saw what.
//
// What tasks share is decided by what they touch; a global variable that was shared in one execution is so in all
// that follow, else a read would be no read of a shared variable just when nobody writes.
//
// Who calls it: FutureRunner. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "driver/futures/observed_execution.h"
#include "driver/target/execution_record.h"
#include "reports/symboliser.h"

namespace ravel {

class ExecutionObserver {
 public:
  // `symbols` is of the target that made the executions, and lives as long as this.
  explicit ExecutionObserver(SymbolSource& symbols) : symbols_(symbols) {}

  ObservedExecution observe(const ExecutionRecord& record);

 private:
  struct Whereabouts {
    SourcePlace place;
    bool hands_over = false;  // the library copies what a new thread runs and gets
    bool in_callee = false;   // the line of the place only calls the function that does it
  };
  // Accesses that overlap belong together: by event the number of its group, 0 for what is not shared.
  struct Groups {
    std::vector<std::uint32_t> of_event;
    std::vector<Operation> first;  // of each group; [0] stands for none
  };

  const Whereabouts& whereabouts(const TraceEvent& event, const StackRecord* stack);
  Whereabouts find(const TraceEvent& event, const StackRecord* stack);
  Groups group_memory(const ExecutionRecord& record, const std::vector<const Whereabouts*>& where);
  bool was_shared(std::uint64_t begin, std::uint64_t end) const;
  std::vector<ObservedVariable> name_variables(const ExecutionRecord& record, const Groups& groups);

  SymbolSource& symbols_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Whereabouts> known_;  // by pc and calls
  std::map<std::uint64_t, std::uint64_t> shared_globals_;                 // begin and end of what was shared once
};

}  // namespace ravel
