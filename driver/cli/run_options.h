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
};

// Under the headings "Search" and "Execution". Returns the lines of help about the strategies.
std::string define_run_options(Options& options, RunOptions& chosen);

// Makes the campaign ready for the program: its file, suppressions, standard input, the budget. `input` must outlive
// it.
Status prepare_campaign(RunOptions& options, const std::vector<std::string>& program, StandardInput& input);

}  // namespace ravel
