// SPDX-License-Identifier: Apache-2.0
// Puts a circle of locks into words: edges of the lock-order graph (addresses of one target) become a
// PotentialDeadlock.
//
// Who calls it: the driver, once per circle it keeps. Thread safety: that of the SymbolSource it is given.
#pragma once

#include <span>

#include "reports/campaign_result.h"
#include "reports/symboliser.h"
#include "trace/channel.h"

namespace ravel {

// Each of `circle` wants what the next holds, the last one what the first holds. `tasks` as for resolve_finding.
PotentialDeadlock resolve_circle(std::span<const LockEdge> circle, std::span<const TaskRecord> tasks,
                                 SymbolSource& symbols);

}  // namespace ravel
