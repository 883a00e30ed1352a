// SPDX-License-Identifier: Apache-2.0
// How a finding came about, from the execution that shows it: the last step of its way (inquiry.h). The explanation
// itself is made in reports/; here the execution is prepared for it.
#pragma once

#include "driver/findings/finding_shrinker.h"
#include "reports/explanation.h"
#include "reports/symboliser.h"

namespace ravel {

// Source files are read from where the debug information names them.
Explanation explain_finding(const ShrunkFinding& shrunk, SymbolSource& symbols);

}  // namespace ravel
