// SPDX-License-Identifier: Apache-2.0
// resolve_cycle(): turns a cycle of lock edges, which have addresses of one target, into a PotentialDeadlock.
//
// Who calls it: the driver, once per cycle it keeps. Thread safety: that of the SymbolSource it is given.
#pragma once

#include <span>

#include "reports/campaign_result.h"
#include "reports/symboliser.h"
#include "trace/channel.h"

namespace ravel {

// Each edge of `cycle` wants what the next one holds; the last wants what the first holds. `tasks`: see
// resolve_finding.
PotentialDeadlock resolve_cycle(std::span<const LockEdge> cycle, std::span<const TaskRecord> tasks,
                                SymbolSource& symbols);

}  // namespace ravel
