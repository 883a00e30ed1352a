// SPDX-License-Identifier: Apache-2.0
// The options of the commands that explore a program with a campaign: `run`, and `explore`, which ravel::explore in a
// test starts. Thread safety: none needed; main's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/campaign/campaign.h"
#include "driver/cli/options.h"

namespace ravel {

struct RunOptions {
  CampaignOptions campaign;  // the program's part is filled in after inspecting it
  std::optional<std::uint64_t> executions;
  std::optional<std::chrono::nanoseconds> time;
  std::vector<std::string> suppressions;  // files, in the order given

  // Moves the budget into `campaign`: a time limit replaces the usual number of executions.
  void set_budget();
};

// Under the headings "Search" and "Execution". Returns the lines of help about the strategies.
std::string define_run_options(Options& options, RunOptions& chosen);

// Files named on the command line, then the one that a sanitizer would take from the environment.
Result<Suppressions> load_suppressions(const RunOptions& options, const std::string& program);

}  // namespace ravel
