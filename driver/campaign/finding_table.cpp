// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/finding_table.h"

#include <algorithm>

namespace ravel {

std::vector<ReportedFinding> FindingTable::take() {
  for (ReportedFinding& finding : published_) finding.count = counts_[finding.finding.signature];
  std::sort(published_.begin(), published_.end(),
            [](const ReportedFinding& a, const ReportedFinding& b) { return a.id < b.id; });
  return std::move(published_);
}

}  // namespace ravel
