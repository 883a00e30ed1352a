// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/replay_report.h"

#include <fmt/format.h>

namespace ravel {

std::string replay_report(const ReplayRun& run, std::optional<FindingKind> expected, const TextOptions& options) {
  std::string report;
  if (run.finding) report += text_of_finding(*run.finding, options);
  if (!run.divergence.empty()) report += fmt::format("ravel: {}\n", run.divergence);
  if (run.finding) return report;
  for (const ReportedFinding& other : run.others) report += text_of_finding(other, options);
  return report + (expected ? fmt::format("The {} of this schedule did not come back{}.\n", finding_name(*expected),
                                          run.others.empty() ? "" : "; what was found instead is shown above")
                            : std::string("The schedule ran to its end; it records no finding.\n"));
}

}  // namespace ravel
