// SPDX-License-Identifier: Apache-2.0
// ExecutionObserver: turns the record of an execution into an ObservedExecution: places in the source, named variables,
// which read saw which write.
//
// Variables are shared if several tasks touch them. A global variable that was shared in one execution stays shared in
// all that follow; otherwise a read would stop being a read of a shared variable just when nobody writes.
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
  // `symbols` belongs to the target that performed the executions, and must outlive this object.
  explicit ExecutionObserver(SymbolSource& symbols) : symbols_(symbols) {}

  ObservedExecution observe(const ExecutionRecord& record);

 private:
  struct Whereabouts {
    SourcePlace place;
    bool hands_over = false;  // the library copies what a new thread runs and its arguments
    bool in_callee = false;   // the line only calls the function that makes the access
  };
  // Accesses that overlap belong together: for each event the number of its group, 0 if it is not shared.
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
  std::map<std::uint64_t, std::uint64_t> shared_globals_;                 // begin, end of memory once shared
};

}  // namespace ravel
