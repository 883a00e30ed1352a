// SPDX-License-Identifier: Apache-2.0
// differences(): how two executions differ: reads that saw different writes. Answers "why does this future fail and
// that one not". Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/futures/future_runner.h"
#include "driver/futures/observed_execution.h"

namespace ravel {

// A read that both executions made (same task, line, variable and occurrence) but that saw different writes.
struct ReadDifference {
  TaskId task = kNoTask;
  std::string place;
  std::string object;            // empty: not known
  std::uint32_t occurrence = 0;  // from 1
  std::string here;              // the write: "t1.cpp:8", "the initial value", with its task if that differs
  std::string there;

  std::string text() const;  // "n at t3.cpp:21 in T2 #3 sees t1.cpp:8, not the initial value"
};

// In the order in which `here` made them.
std::vector<ReadDifference> differences(const ObservedExecution& here, const ObservedExecution& there);

// The passing execution that differs least from this one, in at least one read; nullopt when there is none.
struct NearestPassing {
  std::size_t execution = 0;
  std::vector<ReadDifference> reads;
};
std::optional<NearestPassing> nearest_passing(const std::vector<PerformedExecution>& all, std::size_t failing);

// The first of them, in one sentence.
std::string differences_text(const std::vector<ReadDifference>& reads);

}  // namespace ravel
