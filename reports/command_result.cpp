// SPDX-License-Identifier: Apache-2.0
#include "reports/command_result.h"

#include "reports/text_report.h"

namespace ravel {

CommandResult command_result(const CampaignResult& campaign) {
  CommandResult result;
  result.command = campaign.command;
  result.program = campaign.program;
  result.verdict = verdict_text(campaign);
  result.seconds = campaign.seconds;
  result.notes = campaign.notes;
  result.findings = campaign.findings;
  return result;
}

}  // namespace ravel
