// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/options.h"

#include <algorithm>
#include <set>
#include <thread>

#include <CLI/CLI.hpp>

#include "base/check.h"
#include "driver/cli/duration.h"
#include "strategies/registry.h"

namespace ravel {
namespace {

const CLI::Validator kDuration(
    [](std::string& text) {
      return parse_duration(text) ? std::string{} : "'" + text + "' is not a duration such as 500ms, 60s or 5m";
    },
    "", "duration");

std::set<std::string> finding_names() {
  std::set<std::string> names;
  for (unsigned i = 0; i < kFindingKinds; ++i) names.insert(finding_name(static_cast<FindingKind>(i)));
  return names;
}

std::set<std::string> strategy_names() {
  std::set<std::string> names;
  for (const StrategyDescription& strategy : list_strategies()) names.insert(strategy.name);
  return names;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

// A word out of a closed list; the message names the list.
CLI::Validator one_of(const std::set<std::string>& names) {
  return CLI::Validator(
      [names](std::string& text) {
        return names.count(text) > 0 ? std::string{} : "'" + text + "' is none of " + joined(names);
      },
      "");
}

}  // namespace

void add_timeout_option(CLI::App& command, std::string& timeout) {
  command.add_option("--timeout", timeout, "limit of one execution, by the clock on the wall [10s]")
      ->option_text("TIME")
      ->check(kDuration);
}

void add_carrier_option(CLI::App& command, std::string& carrier) {
  command.add_option("--carrier", carrier, "how tasks run: fibers are fast, threads are what gdb understands [fiber]")
      ->option_text("fiber|thread")
      ->check(one_of({"fiber", "thread"}));
}

void add_run_options(CLI::App& command, RunOptions& options) {
  CampaignOptions& campaign = options.campaign;
  campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  const auto at_least_one = CLI::Range(std::uint64_t{1}, ~std::uint64_t{0} >> 1);
  command.add_option("--strategy", campaign.strategy, "how schedules are searched [auto]")
      ->option_text(joined(strategy_names()))
      ->check(one_of(strategy_names()));
  command.add_option("--executions", campaign.executions, "stop after so many executions [10000]")
      ->option_text("N")
      ->check(at_least_one);
  command.add_option("--time", options.time, "stop after this time [no limit]")->option_text("TIME")->check(kDuration);
  command.add_option("--seed", campaign.seed, "of the search and of the program's random numbers [1]")
      ->option_text("N");
  command.add_option("--jobs", campaign.jobs, "executions at a time [cores]; with 1 the campaign is reproducible")
      ->option_text("N")
      ->check(CLI::Range(1U, 1024U));
  command.add_option("--points", options.points, "which operations are scheduling points [shared]")
      ->option_text("sync|shared|all")
      ->check(one_of({"sync", "shared", "all"}));
  add_carrier_option(command, options.carrier);
  add_timeout_option(command, options.timeout);
  command.add_option("--max-steps", campaign.launch.max_steps, "cut an execution after so many steps [1000000]")
      ->option_text("N")
      ->check(at_least_one);
  command.add_flag("--keep-going", campaign.keep_going, "go on after a finding, to find others");
  command.add_option("--out", campaign.out, "directory for schedules [.ravel]")->option_text("DIR");
  command.add_option("--json", options.json, "write the summary to this file; - is standard output")
      ->option_text("FILE");
  command
      .add_option("--suppressions", options.suppressions,
                  "leave out findings that this file names, in the form of ThreadSanitizer (also: TSAN_OPTIONS)")
      ->option_text("FILE")
      ->expected(1)
      ->take_all();
  command.add_option("--expect", options.expect, "search for a finding of this kind: exit 0 when it appears, else 1")
      ->option_text("KIND")
      ->check(one_of(finding_names()));
  command.add_flag("--verify,!--no-verify", campaign.verify,
                   "run the first execution twice and compare [yes]; --no-verify does not");
  command.add_flag("--quiet", options.quiet, "print findings only");
  command.add_flag("--no-color", options.no_color, "no colours (also: NO_COLOR in the environment)");
}

std::chrono::nanoseconds duration_value(const std::string& text) {
  const auto value = parse_duration(text);
  RAVEL_CHECK(value.has_value(), "durations are checked while options are parsed");
  return *value;
}

CarrierKind carrier_value(const std::string& text) {
  return text == "thread" ? CarrierKind::thread : CarrierKind::fiber;
}

PointLevel points_value(const std::string& text) {
  return text == "sync" ? PointLevel::sync : text == "all" ? PointLevel::all : PointLevel::shared;
}

}  // namespace ravel
