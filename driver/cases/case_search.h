// SPDX-License-Identifier: Apache-2.0
// explore_cases(): a campaign for each case of a test binary, one after the other, within one budget. The cases that
// are left share what is left of it equally: what one does not need, the others get. Nothing that one case does ends
// the others.
//
// Who calls it: `ravel run --gtest`. Thread safety: no state; the observer is called as Campaign calls it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/campaign/campaign.h"
#include "driver/cases/test_binary.h"

namespace ravel {

enum class CaseVerdict : std::uint8_t {
  passed,
  failed,      // it has findings
  no_threads,  // it passed, and created none: there was nothing to explore
  no_verdict,  // no execution came to its end, or the campaign could not continue
};

// "passed", "failed", "no threads", "no verdict": in tables and in JSON.
const char* verdict_name(CaseVerdict verdict);

struct ExploredCase {
  std::string name;
  std::vector<std::string> command_line;
  CampaignEnd end;
  bool interrupted = false;  // by the user

  CaseVerdict verdict() const;
  std::string why_no_verdict() const;  // one sentence
};

struct CaseObserver {
  virtual ~CaseObserver() = default;
  virtual void on_case_begin(const std::string& name, std::size_t number, std::size_t all) = 0;  // numbers from 1
  virtual void on_case_end(const ExploredCase& explored) = 0;
};

struct CaseSearch {
  std::vector<ExploredCase> explored;  // in the order of the binary
  std::size_t left = 0;                // cases that nothing was done for: the deadline had come
  double seconds = 0;
};

// How much of `budget` the next of `cases` that are left may use: at least one execution. kNoLimit stays.
std::uint64_t share_of(std::uint64_t budget, std::size_t cases);
Deadline share_of(const Deadline& deadline, std::size_t cases);

// `options`: what all campaigns have in common; its executions and its deadline are those of all together. `names`: the
// cases to explore.
CaseSearch explore_cases(const TestBinary& binary, const std::vector<std::string>& names, CampaignOptions options,
                         CampaignObserver& campaigns, CaseObserver& cases);

// All cases as one campaign: sums, all findings and notes, and the first thing that went wrong.
CampaignEnd sum_of(const CaseSearch& search, const CampaignOptions& options);

}  // namespace ravel
