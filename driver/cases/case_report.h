// SPDX-License-Identifier: Apache-2.0
// What `ravel run --gtest` prints and writes in addition to findings. Pure functions: the same results give the same
// bytes.
#pragma once

#include <string>

#include "driver/cases/case_search.h"
#include "reports/command_result.h"
#include "reports/text_report.h"

namespace ravel {

// A row for each case that was explored, and a closing line. Ends with a newline.
std::string table_of_cases(const CaseSearch& search, const TextOptions& options = {});

// docs/formats/summary.md: the summary of `sum` with the list of cases.
std::string json_of_cases(const CampaignResult& sum, const CaseSearch& search);

// For the reports that all commands write.
CommandResult result_of_cases(const CampaignResult& sum, const CaseSearch& search);

}  // namespace ravel
