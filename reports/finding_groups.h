// SPDX-License-Identifier: Apache-2.0
// Findings that have one cause, and the order in which to look at them. group_findings() puts together what is about
// the same memory or the same two functions, and what is only a consequence; the first of a group is the one to fix:
// the weightiest, or the race that made the program fail.
//
// Who calls it: the campaign (when is a finding enough to end?), the text and JSON reports. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/finding.h"
#include "reports/campaign_result.h"

namespace ravel {

// How much a finding says about the program, the most first.
enum class FindingWeight : std::uint8_t {
  failure,  // the program failed there
  flaw,     // it may fail because of it
  sign,     // something is wrong; often the consequence of something else
};
FindingWeight weight_of(FindingKind kind);

struct FindingGroup {
  std::size_t first = 0;            // index of the one to fix first
  std::vector<std::size_t> others;  // that probably go with it
};

// All findings, each in one group; the weightiest groups first, otherwise in order of appearance.
std::vector<FindingGroup> group_findings(const std::vector<ReportedFinding>& findings);

}  // namespace ravel
