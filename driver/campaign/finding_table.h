// SPDX-License-Identifier: Apache-2.0
// FindingTable: the findings of a campaign, one per signature. Used by CampaignState under its lock.
//
// claim() creates an entry when its signature is first seen, and only that caller gets to confirm and publish() it;
// meanwhile further executions with the same signature are counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/campaign_result.h"

namespace ravel {

class FindingTable {
 public:
  explicit FindingTable(std::uint32_t ids_after = 0) : last_id_(ids_after) {}

  // True when the caller is the first to see this signature. Counts the execution either way.
  bool claim(const std::string& signature) {
    const auto [entry, is_new] = counts_.try_emplace(signature, 0);
    ++entry->second;
    return is_new;
  }

  // Counts one more execution that shows a signature claimed before; false when it was never claimed.
  bool count_known(const std::string& signature) {
    const auto entry = counts_.find(signature);
    if (entry == counts_.end()) return false;
    ++entry->second;
    return true;
  }

  // The claimed signature turned out to be nothing: the next one to see it may claim it.
  void give_back(const std::string& signature) { counts_.erase(signature); }

  // Numbers a finding: the lowest number that nobody has. A finding that turns out to be nothing new gives its back.
  std::uint32_t next_id() { return free_ids_.empty() ? ++last_id_ : free_ids_.extract(free_ids_.begin()).value(); }
  void give_back_id(std::uint32_t id) { free_ids_.insert(id); }

  bool has(FindingKind kind) const {
    return std::any_of(published_.begin(), published_.end(),
                       [&](const ReportedFinding& one) { return one.finding.kind == kind; });
  }

  void publish(ReportedFinding finding) { published_.push_back(std::move(finding)); }

  std::size_t size() const { return published_.size(); }

  // In order of id, with final counts.
  std::vector<ReportedFinding> take();

 private:
  std::unordered_map<std::string, std::uint64_t> counts_;
  std::vector<ReportedFinding> published_;
  std::uint32_t last_id_;
  std::set<std::uint32_t> free_ids_;  // below last_id_
};

}  // namespace ravel
