// SPDX-License-Identifier: Apache-2.0
// `ravel run`: explore schedules of a program, report what is found.
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/campaign/campaign.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/options.h"
#include "driver/target/program_file.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

class RunReporter final : public CampaignObserver {
 public:
  explicit RunReporter(Console& console) : console_(console) {}

  void on_progress(const CampaignProgress& now) override {
    if (!console_.wants_progress()) return;
    const double rate = now.seconds > 0 ? static_cast<double>(now.executions) / now.seconds : 0;
    const std::string all = now.estimate > 0 ? fmt::format(" of about {:.3g}", now.estimate) : "";
    console_.progress(fmt::format("{} executions{}  {:.0f}/s  {} different orders  {} {}", now.executions, all, rate,
                                  now.distinct_orders, now.findings, now.findings == 1 ? "finding" : "findings"));
  }

  void on_finding(const ReportedFinding& finding) override {
    TextOptions options;
    options.color = console_.color();
    console_.print(text_of_finding(finding, options));
  }

 private:
  Console& console_;
};

int exit_code(const RunOptions& options, const CampaignEnd& end, bool interrupted) {
  if (!end.internal_error.empty()) return kInternalError;
  const std::vector<ReportedFinding>& findings = end.result.findings;
  if (options.campaign.expect) {
    for (const ReportedFinding& finding : findings) {
      if (finding.finding.kind == *options.campaign.expect) return 0;
    }
    return end.trouble.is_ok() && !interrupted ? 1 : kTrouble;
  }
  if (!findings.empty()) return kFound;
  return end.trouble.is_ok() && !interrupted ? kNothingFound : kTrouble;
}

// Files named on the command line, then the one that a sanitizer would take from the environment.
Result<Suppressions> load_suppressions(const RunOptions& options, const std::string& program) {
  std::vector<SuppressionSource> sources;
  for (const std::string& path : options.suppressions) sources.push_back({path, false});
  const char* const variable = std::getenv("TSAN_OPTIONS");
  const std::string named = variable == nullptr ? "" : suppressions_in_options(variable);
  if (!named.empty()) sources.push_back({named, true});
  return Suppressions::load(sources, program);
}

int run(RunOptions& options, const CommandLine& line) {
  Console console({options.quiet, options.no_color, options.json == "-"});
  if (line.program.empty()) {
    console.trouble(Status::trouble("no program is given", "example: ravel run -- ./prog --its-options"));
    return kTrouble;
  }
  CampaignOptions& campaign = options.campaign;
  if (const auto program = open_program(line.program, campaign.target); !program.is_ok()) {
    console.trouble(program.status());
    return kTrouble;
  }
  auto suppressions = load_suppressions(options, campaign.target.executable);
  if (!suppressions.is_ok()) {
    console.trouble(suppressions.status());
    return kTrouble;
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  const auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) {
    console.trouble(input.status());
    return kTrouble;
  }

  campaign.target.input = &input.value();
  campaign.target.interrupted = &interrupted;
  campaign.target.timeout = duration_value(options.timeout);
  campaign.suppressions = std::move(suppressions.value());
  if (!options.time.empty()) {
    campaign.time = duration_value(options.time);
    campaign.executions = kNoLimit;  // who says how long does not mean how many
  }
  if (options.executions) campaign.executions = *options.executions;
  campaign.target.launch.points = points_value(options.points);
  campaign.target.launch.memory_model = memory_model_value(options.memory_model);
  campaign.target.launch.carrier = carrier_value(options.carrier);
  set_detector_options(options, campaign.target.launch);
  if (!options.expect.empty()) campaign.expect = finding_from_name(options.expect);

  RunReporter reporter(console);
  CampaignEnd end = Campaign(campaign, reporter).run();
  console.clear_progress();
  if (!input.value().warning().empty()) end.result.notes.push_back(input.value().warning());
  if (interrupted.load()) end.result.notes.push_back("the campaign was interrupted");

  if (end.result.executions > 0) {
    TextOptions text;
    text.color = console.color();
    console.inform(text_of_summary(end.result, text));
  }
  int code = exit_code(options, end, interrupted.load());
  if (!options.json.empty()) {
    if (const Status status = write_report(json_report(end.result), options.json); !status.is_ok()) {
      console.trouble(status);
      code = kTrouble;
    }
  }
  if (!end.trouble.is_ok()) console.trouble(end.trouble);
  if (!end.internal_error.empty()) console.internal_error(end.internal_error, end.internal_schedule);
  return code;
}

}  // namespace

Command add_run(CLI::App& app, const CommandLine& line) {
  CLI::App* const command = app.add_subcommand("run", "explore schedules of a program and report what is found");
  set_usage(*command, "ravel run [options] -- PROGRAM [ARGUMENTS]");
  command->footer(
      "Examples:\n"
      "  ravel run -- ./bank                        search until something is found, at most 10000 executions\n"
      "  ravel run --time 60s --keep-going -- ./bank  search for a minute, report every different finding\n"
      "  ravel run --expect deadlock -- ./bank      exit 0 when a deadlock is found (for tests of bugs)\n"
      "Exit codes: 0 nothing found, 1 findings, 2 usage or environment, 3 internal error.");
  auto options = std::make_shared<RunOptions>();
  add_run_options(*command, *options);
  return [options, &line] { return run(*options, line); };
}

}  // namespace ravel
