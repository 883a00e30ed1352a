// SPDX-License-Identifier: Apache-2.0
// junit_report(): the results as JUnit XML (--junit), as CI systems read it. Pure function.
#pragma once

#include <string>

#include "reports/command_result.h"

namespace ravel {

// One suite. A result without cases of its own has one case per finding, or one that passed.
std::string junit_report(const CommandResult& result);

}  // namespace ravel
