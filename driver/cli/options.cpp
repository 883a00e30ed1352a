// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/options.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
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

// "64K", "4M", "1G" or bytes, in KB; nullopt when it is no size or 4 TB and more.
std::optional<std::uint32_t> parse_size_kb(std::string_view text) {
  std::uint64_t unit = 1;
  if (!text.empty()) {
    const std::size_t letter = std::string_view("KMG").find(text.back());
    if (letter != std::string_view::npos) {
      unit = std::uint64_t{1} << (10 * (letter + 1));
      text.remove_suffix(1);
    }
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(number, unit, &bytes) || (bytes >> 10) > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>((bytes + 1023) >> 10);
}

const CLI::Validator kSize(
    [](std::string& text) {
      return parse_size_kb(text) ? std::string{} : "'" + text + "' is not a size such as 512K, 16M or 0";
    },
    "", "size");

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

void add_duration_option(CLI::App& command, const std::string& name, std::string& value, const std::string& help) {
  command.add_option(name, value, help)->option_text("TIME")->check(kDuration);
}

void add_timeout_option(CLI::App& command, std::string& timeout) {
  add_duration_option(command, "--timeout", timeout, "limit of one execution, by the clock on the wall [10s]");
}

void add_carrier_option(CLI::App& command, std::string& carrier) {
  command.add_option("--carrier", carrier, "how tasks run: fibers are fast, threads are what gdb understands [fiber]")
      ->option_text("fiber|thread")
      ->check(one_of({"fiber", "thread"}));
}

void add_detector_options(CLI::App& command, RunOptions& options) {
  command.add_flag("--no-races", options.no_races, "do not look for data races");
  command.add_flag("--no-heap", options.no_heap, "do not look for misuse of the heap");
  command.add_flag("--uninitialised", options.uninitialised, "look for reads of heap memory that nobody has written");
  command.add_option("--quarantine", options.quarantine, "freed memory held back before it is handed out again [1M]")
      ->option_text("SIZE")
      ->check(kSize);
}

void set_detector_options(const RunOptions& options, LaunchOptions& launch) {
  const auto quarantine = parse_size_kb(options.quarantine);
  RAVEL_CHECK(quarantine.has_value(), "sizes are checked while options are parsed");
  launch.races = options.no_races ? 0 : 1;
  launch.heap = options.no_heap ? 0 : 1;
  launch.uninitialised = options.uninitialised ? 1 : 0;
  launch.quarantine_kb = *quarantine;
}

void add_run_options(CLI::App& command, RunOptions& options) {
  CampaignOptions& campaign = options.campaign;
  campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  const auto at_least_one = CLI::Range(std::uint64_t{1}, ~std::uint64_t{0} >> 1);
  command.add_option("--strategy", campaign.strategy, "how schedules are searched [auto]")
      ->option_text(joined(strategy_names()))
      ->check(one_of(strategy_names()));
  command.add_option("--executions", options.executions, "stop after so many executions [10000; with --time no limit]")
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
  command.add_option("--memory-model", options.memory_model, "what atomics may show: weak memory, or one order [c11]")
      ->option_text("sc|c11")
      ->check(one_of({"sc", "c11"}));
  command.add_option("--history", campaign.target.launch.history, "stores of one atomic that loads may still see [32]")
      ->option_text("N")
      ->check(CLI::Range(1U, 65536U));
  add_carrier_option(command, options.carrier);
  add_timeout_option(command, options.timeout);
  command.add_option("--max-steps", campaign.target.launch.max_steps, "cut an execution after so many steps [1000000]")
      ->option_text("N")
      ->check(at_least_one);
  add_detector_options(command, options);
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
  command.add_flag("--shrink,!--no-shrink", campaign.shrink,
                   "make the schedule of the first finding of each kind short and explain it [yes]");
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

MemoryModel memory_model_value(const std::string& text) { return text == "sc" ? MemoryModel::sc : MemoryModel::c11; }

PointLevel points_value(const std::string& text) {
  return text == "sync" ? PointLevel::sync : text == "all" ? PointLevel::all : PointLevel::shared;
}

}  // namespace ravel
