// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/evidence.h"

#include <algorithm>
#include <utility>

namespace ravel {

bool is_half_known(const FindingRecord& finding) {
  switch (finding.kind) {
    case FindingKind::data_race:
    case FindingKind::use_after_free:
    case FindingKind::double_free:
    case FindingKind::bad_free:
    case FindingKind::uninitialised_read:
      return finding.address != 0;
    default:
      return false;
  }
}

bool wants_evidence(const FindingRecord& finding) {
  return is_half_known(finding) || (finding.participants > 0 && finding.kind != FindingKind::timeout);
}

WatchRequest evidence_request(const FindingRecord& finding) {
  WatchRequest request;
  if (is_half_known(finding)) {
    request.address = finding.address;
    request.size = std::max<std::uint64_t>(finding.size, 1);
  }
  request.creations = wants_evidence(finding) ? 1 : 0;
  return request;
}

std::optional<Evidence> evidence_from(ExecutionRecord repetition, const FindingRecord& finding) {
  const Operation& mine = finding.participant[0].operation;
  const auto is_same = [&](const FindingRecord& other) {
    const Operation& its = other.participant[0].operation;
    return other.kind == finding.kind && other.address == finding.address && other.step == finding.step &&
           its.task == mine.task && its.pc == mine.pc &&
           other.participant[1].operation.task == finding.participant[1].operation.task;
  };
  const std::vector<FindingRecord>& all = finding.unseen ? repetition.unclear_races : repetition.findings;
  const auto same = std::find_if(all.begin(), all.end(), is_same);
  if (same == all.end()) return std::nullopt;
  return Evidence{*same, std::move(repetition.creations)};
}

}  // namespace ravel
