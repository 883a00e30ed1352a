// SPDX-License-Identifier: Apache-2.0
// text_report(): the report for the terminal. Pure functions: the same result gives the same bytes.
// Thread safety: no state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/campaign_result.h"

namespace ravel {

struct TextOptions {
  bool color = false;
  std::size_t width = 100;           // columns
  std::size_t output_lines = 20;     // of the program's output: the last ones
  std::size_t output_columns = 200;  // longer lines of output are cut
  std::size_t frames = 24;           // per stack
  std::size_t explanation_lines = 44;
  bool evidence = true;  // the closing lines: the execution it was found in, and its schedule
};

// "1 run", "2 runs".
std::string counted(std::uint64_t count, std::string_view noun);

// One complete finding: what, which tasks, where, how to replay it. Ends with a newline.
std::string text_of_finding(const ReportedFinding& finding, const TextOptions& options = {});

// A lock cycle that no execution deadlocked in, with all its chains. Ends with a newline.
std::string text_of_potential_deadlock(const PotentialDeadlock& deadlock, const TextOptions& options = {});

// What a campaign saw besides findings: potential deadlocks and unclear races, each followed by an empty line.
std::string text_of_suspicions(const CampaignResult& result, const TextOptions& options = {});

// "; memory was not seen: build ...": what a verdict does not cover, and what to do about it. Empty: nothing.
std::string what_was_not_seen(const CampaignResult& result);

// "nothing found in 100 executions": the verdict in words, and what it is based on.
std::string verdict_text(const CampaignResult& result);

// "note: SENTENCE", a line each.
std::string text_of_notes(const CampaignResult& result);

// The closing lines of a campaign: potential deadlocks, how much was run and what was found. Ends with a newline.
std::string text_of_summary(const CampaignResult& result, const TextOptions& options = {});

// All findings, then the summary.
std::string text_report(const CampaignResult& result, const TextOptions& options = {});

}  // namespace ravel
