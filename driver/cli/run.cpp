// SPDX-License-Identifier: Apache-2.0
// `ravel run`: explore the schedules of a program and report what is found.
#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/cases/case_report.h"
#include "driver/cases/case_search.h"
#include "driver/cases/test_binary.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/did_you_mean.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/report_files.h"
#include "driver/cli/run_options.h"
#include "driver/cli/shared_options.h"
#include "driver/target/program_file.h"
#include "reports/finding_groups.h"
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

class RunReporter final : public CampaignObserver, public CaseObserver {
 public:
  explicit RunReporter(Console& console) : console_(console) {}

  void on_progress(const CampaignProgress& now) override {
    if (!held_back_.empty() && Deadline::Clock::now() - since_ >= kPatience) print_the_rest();
    if (!console_.wants_progress()) return;
    const double rate = now.seconds > 0 ? static_cast<double>(now.executions) / now.seconds : 0;
    const std::string all = now.estimate > 0 ? fmt::format(" of about {:.3g}", now.estimate) : "";
    console_.progress(fmt::format("{}{}{}  {:.0f}/s  {}  {}", stage_, counted(now.executions, "execution"), all, rate,
                                  counted(now.distinct_orders, "different order"), counted(now.findings, "finding")));
  }

  void on_note(const std::string& sentence) override {
    if (std::find(printed_notes_.begin(), printed_notes_.end(), sentence) != printed_notes_.end()) return;
    console_.inform(fmt::format("note: {}\n", sentence));
    printed_notes_.push_back(sentence);
  }
  const std::vector<std::string>& printed_notes() const { return printed_notes_; }

  void on_finding(const ReportedFinding& finding) override {
    if (weight_of(finding.finding.kind) == FindingWeight::failure) {
      print(finding);
    } else {
      held_back_.push_back(finding);
      since_ = Deadline::Clock::now();
    }
  }

  void on_case_begin(const std::string& name, std::size_t number, std::size_t all) override {
    stage_ = fmt::format("{} of {}, {}: ", number, all, name);
    heading_ = fmt::format("case {}\n", name);
    console_.phase(stage_);
  }

  void on_case_end(const ExploredCase& explored) override {
    print_the_rest();
    const std::string suspicions = text_of_suspicions(explored.end.result, text_options());
    if (!suspicions.empty()) inform(suspicions);
    heading_.clear();
  }
  bool has_printed() const { return has_printed_; }

  // What the campaign has found besides failures: it is printed after them, if they come soon.
  void print_the_rest() {
    std::stable_sort(held_back_.begin(), held_back_.end(), [](const ReportedFinding& a, const ReportedFinding& b) {
      return weight_of(a.finding.kind) < weight_of(b.finding.kind);
    });
    for (const ReportedFinding& finding : held_back_) print(finding);
    held_back_.clear();
  }

  TextOptions text_options() const {
    TextOptions options;
    options.color = console_.color();
    options.width = console_.width();
    return options;
  }

 private:
  static constexpr std::chrono::seconds kPatience{2};

  void print(const ReportedFinding& finding) {
    console_.print(take_heading() + text_of_finding(finding, text_options()));
    has_printed_ = true;
  }

  void inform(const std::string& text) {
    console_.inform(take_heading() + text);
    has_printed_ = true;
  }

  // Once per case: what comes first has it.
  std::string take_heading() {
    std::string heading = std::exchange(heading_, {});
    return heading.empty() || !has_printed_ ? heading : "\n" + heading;
  }

  Console& console_;
  std::string stage_;    // of the progress line; empty: there are no cases
  std::string heading_;  // of a case, until something is printed about it
  bool has_printed_ = false;
  std::vector<std::string> printed_notes_;  // notes that are not to be printed again
  std::vector<ReportedFinding> held_back_;
  Deadline::Clock::time_point since_{};
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

  CampaignResult printed = end.result;
  std::erase_if(printed.notes, [&](const std::string& note) {
    return std::find(reporter.printed_notes().begin(), reporter.printed_notes().end(), note) !=
           reporter.printed_notes().end();
  });
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
