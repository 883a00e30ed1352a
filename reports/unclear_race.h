// SPDX-License-Identifier: Apache-2.0
// Unclear races in words: races between accesses that code which Ravel does not see into may have ordered.
//
// Who calls it: finding_report, for the name of that code; the reports. Thread safety: that of the SymbolSource given.
#pragma once

#include <string>
#include <vector>

#include "reports/campaign_result.h"
#include "reports/symboliser.h"
#include "trace/finding_record.h"

namespace ravel {

// "libgomp.so.1", "assembly in Spin::lock()", "code that is not instrumented"; empty for a race that nothing explains.
std::string unseen_order_name(const UnseenOrderRecord& unseen, SymbolSource& symbols);

// Those that the same code may have ordered, in the order in which that code was first named.
struct UnclearRaces {
  std::string ordered_by;
  std::vector<const UnclearRace*> races;
};
std::vector<UnclearRaces> by_unseen_code(const std::vector<UnclearRace>& races);

// What the user can do about it.
std::string unclear_race_advice(const UnclearRaces& races);

}  // namespace ravel
