// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/evidence.h"

#include <algorithm>

namespace ravel {

bool wants_evidence(const FindingRecord& finding) {
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

std::optional<FindingRecord> with_evidence(const FindingRecord& finding, const RepeatWatching& repeat) {
  const WatchRequest watch{finding.address, std::max<std::uint64_t>(finding.size, 1)};
  const std::optional<ExecutionRecord> again = repeat(watch);
  if (!again) return std::nullopt;
  const Operation& mine = finding.participant[0].operation;
  const auto same = std::find_if(again->findings.begin(), again->findings.end(), [&](const FindingRecord& other) {
    const Operation& its = other.participant[0].operation;
    return other.kind == finding.kind && other.address == finding.address && other.step == finding.step &&
           its.task == mine.task && its.pc == mine.pc &&
           other.participant[1].operation.task == finding.participant[1].operation.task;
  });
  if (same == again->findings.end()) return std::nullopt;
  return *same;
}

}  // namespace ravel
