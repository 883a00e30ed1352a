// SPDX-License-Identifier: Apache-2.0
// FutureComparison: a failing future compared with a passing one: which reads saw a different write, and which two
// operations decide (driver/findings/cause.h).
//
// Who calls it: `ravel futures --compare`. Thread safety: as Replay: one thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_difference.h"
#include "driver/target/target.h"
#include "model/schedule.h"

namespace ravel {

struct FutureComparison {
  std::string kind;  // what the failing one finds
  std::string message;
  std::string failing_output;
  std::string passing_output;
  std::vector<ReadDifference> reads;
  std::vector<std::string> deciding;  // sentences; empty when no neighbour of the failing execution passes
};

// Both schedules are from `ravel futures` and of one program, which `settings` start. An error when one of them cannot
// be reproduced.
Result<FutureComparison> compare_futures(const Schedule& failing, const Schedule& passing,
                                         const TargetSettings& settings);

std::string text_of_comparison(const FutureComparison& comparison, const std::string& failing,
                               const std::string& passing);

}  // namespace ravel
