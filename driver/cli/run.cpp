// SPDX-License-Identifier: Apache-2.0
// `ravel run`: explore the schedules of a program and report what is found.
#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/cases/case_report.h"
#include "driver/cases/case_search.h"
#include "driver/cases/test_binary.h"
#include "driver/cli/campaign_printer.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/did_you_mean.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/report_files.h"
#include "driver/cli/run_options.h"
#include "driver/cli/shared_options.h"
#include "driver/target/program_file.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

struct RunCommandOptions : RunOptions {
  bool by_case = false;
  std::vector<std::string> cases;  // by name; empty: all
  bool list = false;
  OutputOptions output;
};

class RunReporter final : public CampaignPrinter, public CaseObserver {
 public:
  using CampaignPrinter::CampaignPrinter;

  void on_case_begin(const std::string& name, std::size_t number, std::size_t all) override {
    begin_part(fmt::format("{} of {}, {}: ", number, all, name), fmt::format("case {}\n", name));
  }

  void on_case_end(const ExploredCase& explored) override {
    print_the_rest();
    const std::string suspicions = text_of_suspicions(explored.end.result, text_options());
    if (!suspicions.empty()) inform(suspicions);
    end_part();
  }
};

int exit_code(const RunOptions& options, const CampaignEnd& end, bool interrupted) {
  if (!end.internal_error.empty()) return kInternalError;
  const std::vector<ReportedFinding>& findings = end.result.findings;
  if (options.campaign.expect) {
    for (const ReportedFinding& finding : findings) {
      if (finding.finding.kind == *options.campaign.expect) return 0;
    }
    return end.trouble.is_ok() && !interrupted && end.result.has_verdict() ? kFound : kTrouble;
  }
  if (!findings.empty()) return kFound;
  return end.trouble.is_ok() && !interrupted && end.result.has_verdict() ? kNothingFound : kTrouble;
}

Result<std::vector<std::string>> wanted_cases(const TestBinary& binary, const std::vector<std::string>& wanted) {
  const std::vector<std::string>& all = binary.cases();
  for (const std::string& name : wanted) {
    if (std::find(all.begin(), all.end(), name) != all.end()) continue;
    const std::string meant = did_you_mean(name, all);
    return Status::trouble(fmt::format("there is no case '{}'", name),
                           (meant.empty() ? "" : fmt::format("did you mean {}? ", meant)) + "--list lists the cases");
  }
  return wanted.empty() ? all : wanted;
}

int list_cases(const std::vector<std::string>& names) {
  for (const std::string& name : names) fmt::print("{}\n", name);
  return kNothingFound;
}

Result<int> run(RunCommandOptions& options, const CommandLine& line) {
  if (!options.by_case && (options.list || !options.cases.empty())) {
    return Status::trouble(fmt::format("{} is about cases of a test binary", options.list ? "--list" : "--case"),
                           "give --gtest too");
  }
  Console console(options.output);
  const ReportFiles reports(options.output);
  CampaignOptions& campaign = options.campaign;
  StandardInput input = StandardInput::none();
  if (Status status = prepare_campaign(options, line.program, input); !status.is_ok()) return status;

  RunReporter reporter(console);
  std::optional<CaseSearch> cases;
  CampaignEnd end;
  if (options.by_case) {
    auto binary = TestBinary::ask(campaign.target);
    if (!binary.is_ok()) return binary.status();
    auto names = wanted_cases(binary.value(), options.cases);
    if (!names.is_ok()) return names.status();
    if (options.list) return list_cases(names.value());
    campaign.files = std::make_shared<ScheduleFiles>(campaign.out);
    if (Status status = campaign.files->make_ready(); !status.is_ok()) return status;
    cases = explore_cases(binary.value(), names.value(), campaign, reporter, reporter);
    end = sum_of(*cases, campaign);
  } else {
    end = Campaign(campaign, reporter).run();
    reporter.print_the_rest();
  }
  console.clear_progress();
  if (!input.warning().empty()) end.result.notes.push_back(input.warning());
  const bool interrupted = campaign.target.deadline.interrupted();
  if (interrupted) end.result.notes.push_back("the campaign was interrupted");

  const CampaignResult printed = reporter.without_printed_notes(end.result);
  if (cases) {
    console.inform((reporter.has_printed() ? "\n" : "") + text_of_notes(printed) +
                   table_of_cases(*cases, reporter.text_options()));
  } else if (end.result.executions > 0) {
    console.inform(text_of_summary(printed, reporter.text_options()));
  }
  int code = exit_code(options, end, interrupted);
  const bool written = reports.write(
      console, [&] { return cases ? result_of_cases(end.result, *cases) : command_result(end.result); },
      [&] { return cases ? json_of_cases(end.result, *cases) : json_report(end.result); });
  if (!written) code = kTrouble;
  if (end.result.executions == 0 && end.trouble.is_ok() && end.internal_error.empty()) {
    end.trouble = Status::trouble(fmt::format("no execution came to its end: {}", campaign.target.deadline.reason()),
                                  interrupted ? "" : "--time allows more");
  }
  if (!end.trouble.is_ok()) console.trouble(end.trouble);
  if (!end.internal_error.empty()) console.internal_error(end.internal_error, end.internal_schedule);
  return code;
}

}  // namespace

Command define_run(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<RunCommandOptions>();
  CampaignOptions& campaign = chosen->campaign;
  campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  options.usage("ravel run [options] -- PROGRAM [ARGUMENTS]");
  options.takes_program();

  const std::string described = define_run_options(options, *chosen);

  options.heading("Exit code");
  options.choice("--expect KIND", campaign.expect, finding_name, kFindingKinds,
                 "search for a finding of this kind: exit with 0 if it appears, else with 1. One of");

  options.heading("Test binaries");
  options.flag("--gtest", chosen->by_case,
               "explore each case of a GoogleTest, Catch2 or doctest binary on its own, with an equal share of "
               "--executions and --time");
  options.list("--case NAME", chosen->cases, "with --gtest: only this case; may be given several times");
  options.flag("--list", chosen->list, "with --gtest: print the names of the cases, one per line, and explore nothing");

  options.heading("Output");
  define_out(options, campaign.out);
  define_reports(options, chosen->output);
  define_quiet(options, chosen->output.quiet, "findings");
  define_color(options, chosen->output.color);
  options.exclude_all_but("--list", {"--gtest", "--case", "--time", "--timeout"});

  options.notes("Strategies:\n" + described +
                "\nExamples:\n"
                "  ravel run -- ./bank                          search until something is found\n"
                "  ravel run --time 60s --keep-going -- ./bank  search for a minute, report every different finding\n"
                "  ravel run --expect deadlock -- ./bank        exit with 0 if a deadlock is found\n"
                "  ravel run --gtest -- ./unit_tests            each test case on its own\n"
                "  ravel run --gtest -- ./unit_tests 'Queue.*'  the cases that this filter selects\n\n"
                "Exit codes: 0 nothing found, 1 findings, 2 usage or environment, 3 internal error.");
  return [chosen, &line] { return run(*chosen, line); };
}

}  // namespace ravel
