// SPDX-License-Identifier: Apache-2.0
// html_report(): the findings as one page that needs nothing else (--html). The page is an asset, built from web/ and
// committed as reports/report_page.html; this writes the data into it. Pure functions.
#pragma once

#include <string>

#include "reports/command_result.h"

namespace ravel {

std::string html_report(const CommandResult& result);

// The data alone: what web/src/data.ts reads.
std::string html_data(const CommandResult& result);

}  // namespace ravel
