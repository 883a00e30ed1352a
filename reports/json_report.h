// SPDX-License-Identifier: Apache-2.0
// The JSON summary (--json). Keys and their meaning are a contract with scripts: keys are added, never renamed.
// Thread safety: no state.
#pragma once

#include <string>

#include "base/status.h"
#include "reports/campaign_result.h"

namespace ravel {

// The summary as indented text, ending with a newline. Bytes of the program's output that
// are not UTF-8 are replaced.
std::string json_report(const CampaignResult& result);

// One entry of `findings`, for the summaries of other commands: the text of a JSON object.
std::string json_of_finding(const ReportedFinding& finding);

// Writes `text` to `path` whole or not at all: through a temporary file beside it that is renamed. "-" is stdout.
Status write_report(const std::string& text, const std::string& path);

}  // namespace ravel
