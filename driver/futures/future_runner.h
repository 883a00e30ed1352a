// SPDX-License-Identifier: Apache-2.0
// FutureRunner: performs single executions for futures, every access a scheduling point and everything traced, and
// makes ObservedExecutions of them.
//
// Who calls it: ExecutionPool, and the comparison of two futures. Thread safety: as Target: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/execution_observer.h"
#include "driver/futures/observed_execution.h"
#include "driver/target/execution_record.h"
#include "driver/target/target.h"
#include "reports/finding_report.h"
#include "reports/symboliser.h"

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

  // In the order of creation, no preemption; or leaving that way where `directions` (strategies/directions.h) say so.
  Result<PerformedExecution> perform(const std::vector<std::uint64_t>& directions);
  // Any plan; what view() tells is valid until the next execution.
  Result<PerformedExecution> perform(PlannedExecution planned);
  ExecutionView view() { return view_execution(target_->channel()); }

  // So that it can be replayed.
  Status save(const PerformedExecution& performed, std::uint64_t execution, const std::string& path);

  std::uint64_t executions() const { return executions_; }

 private:
  Status ensure_target();
  Symboliser& symboliser();

  TargetSettings settings_;
  std::unique_ptr<Target> target_;
  std::optional<Symboliser> symboliser_;
  std::optional<ExecutionObserver> observer_;  // with the symboliser
  std::size_t symboliser_modules_ = 0;
  std::uint64_t executions_ = 0;
};

}  // namespace ravel
