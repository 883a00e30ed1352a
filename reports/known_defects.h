// SPDX-License-Identifier: Apache-2.0
// Findings whose cause is a known defect of the standard library, recognised by the functions on their stacks. The list
// is known_defects.def.
//
// Who calls it: resolve_finding. Thread safety: pure.
#pragma once

#include <string>

#include "reports/finding_report.h"

namespace ravel {

// A sentence about the defect, with the version that mends it; empty when the finding is none of those known.
std::string known_defect(const ResolvedFinding& finding);

}  // namespace ravel
