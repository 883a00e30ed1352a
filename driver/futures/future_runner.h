// SPDX-License-Identifier: Apache-2.0
// FutureRunner: performs single executions for futures, with every access a scheduling point and everything traced, and
// turns them into ObservedExecutions.
//
// Who calls it: ExecutionPool, and the comparison of two futures. Thread safety: as RunningProgram.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/execution_observer.h"
#include "driver/futures/observed_execution.h"
#include "driver/target/running_program.h"
#include "reports/finding_report.h"

namespace ravel {

struct PerformedExecution {
  ExecutionRecord record;
  ObservedExecution seen;
  std::vector<ResolvedFinding> findings;
};

class FutureRunner {
 public:
  // All memory accesses become scheduling points.
  explicit FutureRunner(TargetSettings target);

  // In order of creation without preemption, deviating where `directions` (strategies/directions.h) say so.
  Result<PerformedExecution> perform(const std::vector<std::uint64_t>& directions);
  // Any plan; view() is valid until the next execution.
  Result<PerformedExecution> perform(PlannedExecution planned);
  ExecutionView view() { return view_execution(program_.channel()); }

  // Its schedule, with which it can be replayed.
  Schedule schedule_of(const PerformedExecution& performed, std::uint64_t execution);

  std::uint64_t executions() const { return executions_; }

 private:
  RunningProgram program_;
  std::optional<ExecutionObserver> observer_;  // for the modules of this version
  std::uint64_t modules_version_ = 0;
  std::uint64_t executions_ = 0;
};

}  // namespace ravel
