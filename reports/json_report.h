// SPDX-License-Identifier: Apache-2.0
// json_report(): the JSON summary (--json). Keys are a contract with scripts: they are added, never renamed.
// Thread safety: no state.
#pragma once

#include <string>

#include "base/status.h"
#include "reports/campaign_result.h"
#include "reports/command_result.h"

namespace ravel {

// The summary as indented text, ending with a newline. Output of the program that is not UTF-8 is replaced.
std::string json_report(const CampaignResult& result);

// The same for a command that explores nothing: `ravel replay`, `ravel explain`.
std::string json_report(const CommandResult& result);

// One entry of `findings`, for the summaries of other commands: the text of a JSON object.
std::string json_of_finding(const ReportedFinding& finding);

// Writes `text` to `path` completely or not at all, through a temporary file that is renamed. "-" is stdout.
Status write_report(const std::string& text, const std::string& path);

}  // namespace ravel
