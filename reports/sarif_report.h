// SPDX-License-Identifier: Apache-2.0
// sarif_report(): the findings as SARIF 2.1.0 (--sarif), for code scanning and the viewers of editors. Pure function.
#pragma once

#include <string>

#include "reports/command_result.h"

namespace ravel {

// docs/formats/sarif.md. An explained finding has two code flows: its steps in the order in which they were made, as
// one list, and the same steps with a thread flow for each task.
std::string sarif_report(const CommandResult& result);

}  // namespace ravel
