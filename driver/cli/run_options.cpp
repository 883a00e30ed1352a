// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run_options.h"

#include <cstdlib>

#include <fmt/format.h>

#include "driver/cli/open_schedule.h"
#include "driver/cli/shared_options.h"
#include "driver/target/program_file.h"
#include "strategies/registry.h"

namespace ravel {
namespace {

// Files named on the command line, then the one that a sanitizer would take from the environment.
Result<Suppressions> load_suppressions(const RunOptions& options, const std::string& program) {
  std::vector<SuppressionSource> sources;
  for (const std::string& path : options.suppressions) sources.push_back({path, false});
  const char* const variable = std::getenv("TSAN_OPTIONS");
  const std::string named = variable == nullptr ? "" : suppressions_in_options(variable);
  if (!named.empty()) sources.push_back({named, true});
  return Suppressions::load(sources, program);
}

}  // namespace

Status prepare_campaign(RunOptions& options, const std::vector<std::string>& program, StandardInput& input) {
  CampaignOptions& campaign = options.campaign;
  if (const auto opened = open_program(program, campaign.target); !opened.is_ok()) return opened.status();
  auto suppressions = load_suppressions(options, campaign.target.executable);
  if (!suppressions.is_ok()) return suppressions.status();
  campaign.suppressions = std::move(suppressions.value());
  if (Status status = take_terminal(campaign.target, input); !status.is_ok()) return status;
  if (options.time) {
    campaign.target.deadline = campaign.target.deadline.within(*options.time);
    campaign.executions = kNoLimit;  // a time limit replaces the number of executions
  }
  if (options.executions) campaign.executions = *options.executions;
  return Status::ok();
}

std::string define_run_options(Options& options, RunOptions& chosen) {
  CampaignOptions& campaign = chosen.campaign;
  options.heading("Search");
  std::vector<std::string> strategies;
  std::string described;
  for (const StrategyDescription& strategy : list_strategies()) {
    strategies.emplace_back(strategy.name);
    described += help_line(strategy.name, strategy.sentence, 14);
  }
  options.choice("--strategy", campaign.strategy, strategies, "how to search; see below");
  options.number("--executions N", chosen.executions, "stop after this many executions", 1)
      .or_else(fmt::format("{}, or no limit with --time", campaign.executions));
  define_time(options, chosen.time);
  define_seed(options, campaign.seed, "the search and of the program's random numbers");
  options.number("--jobs N", campaign.jobs,
                 "executions at a time, one per core unless given; with 1 the campaign is reproducible", 1, 1024);
  options.flag("--keep-going", campaign.keep_going, "do not stop at the first finding");
  options.flag("--verify, --no-verify", campaign.verify,
               "run the first execution twice and compare, to see whether the program is deterministic");
  options.flag("--shrink, --no-shrink", campaign.shrink,
               "shorten the schedule of the first finding of each kind, and explain it");
  define_ok_exit(options, campaign.target.ok_exits);
  options.list("--suppressions FILE", chosen.suppressions,
               "leave out the findings that FILE lists, in ThreadSanitizer's format (TSAN_OPTIONS can name such a file "
               "too); may be given several times");

  options.heading("Execution");
  options.choice("--points", campaign.target.launch.points, point_level_name, 3,
                 "which operations are scheduling points: synchronisation alone, accesses to shared memory too, or "
                 "every access");
  define_memory_model(options, campaign.target.launch.memory_model);
  options.number("--history N", campaign.target.launch.history, "how many stores of an atomic a load can choose from",
                 1, 65536);
  define_carrier(options, campaign.target.launch.carrier);
  define_files(options, campaign.target.launch.files);
  define_fresh(options, campaign.target.launch.single);
  options.flag("--no-resident", campaign.target.launch.resident,
               "fork a process for every execution, instead of putting the memory of one back after each");
  define_timeout(options, campaign.target.timeout);
  options.number("--max-steps N", campaign.target.launch.max_steps, "cut an execution off after this many steps", 1);
  options.flag("--no-races", campaign.target.launch.races, "do not look for data races");
  options.flag("--no-heap", campaign.target.launch.heap, "do not look for misuse of the heap");
  options.flag("--uninitialised", campaign.target.launch.uninitialised,
               "look for reads of heap memory that was never written");
  options.size_kb("--quarantine SIZE", campaign.target.launch.quarantine_kb,
                  "how much freed memory to hold back from reuse");
  return described;
}

}  // namespace ravel
