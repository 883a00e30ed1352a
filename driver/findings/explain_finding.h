// SPDX-License-Identifier: Apache-2.0
// explain_finding(): how a finding came about, from the execution that shows it. The last step of Inquiry (inquiry.h),
// also used by Replay. reports/ makes the explanation; this prepares the execution for it.
#pragma once

#include "driver/findings/finding_shrinker.h"
#include "reports/explanation.h"
#include "reports/symboliser.h"

namespace ravel {

// Source files are read from where the debug information names them.
Explanation explain_finding(const ShrunkFinding& shrunk, SymbolSource& symbols);

}  // namespace ravel
