// SPDX-License-Identifier: Apache-2.0
// `ravel run`: explore the schedules of a program and report what is found.
#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/run_options.h"
#include "driver/cli/shared_options.h"
#include "driver/target/program_file.h"
#include "reports/finding_groups.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

struct RunCommandOptions : RunOptions {
  OutputOptions output;
};

class RunReporter final : public CampaignObserver {
 public:
  explicit RunReporter(Console& console) : console_(console) {}

  void on_progress(const CampaignProgress& now) override {
    if (!held_back_.empty() && Deadline::Clock::now() - since_ >= kPatience) print_the_rest();
    if (!console_.wants_progress()) return;
    const double rate = now.seconds > 0 ? static_cast<double>(now.executions) / now.seconds : 0;
    const std::string all = now.estimate > 0 ? fmt::format(" of about {:.3g}", now.estimate) : "";
    console_.progress(fmt::format("{}{}  {:.0f}/s  {}  {}", counted(now.executions, "execution"), all, rate,
                                  counted(now.distinct_orders, "different order"), counted(now.findings, "finding")));
  }

  void on_note(const std::string& sentence) override {
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

  // What the campaign has found besides failures: it is printed after them, if they come soon.
  void print_the_rest() {
    std::stable_sort(held_back_.begin(), held_back_.end(), [](const ReportedFinding& a, const ReportedFinding& b) {
      return weight_of(a.finding.kind) < weight_of(b.finding.kind);
    });
    for (const ReportedFinding& finding : held_back_) print(finding);
    held_back_.clear();
  }

 private:
  static constexpr std::chrono::seconds kPatience{2};

  void print(const ReportedFinding& finding) {
    TextOptions options;
    options.color = console_.color();
    options.width = console_.width();
    console_.print(text_of_finding(finding, options));
  }

  Console& console_;
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

Result<int> run(RunCommandOptions& options, const CommandLine& line) {
  Console console(options.output);
  CampaignOptions& campaign = options.campaign;
  if (const auto program = open_program(line.program, campaign.target); !program.is_ok()) return program.status();
  auto suppressions = load_suppressions(options, campaign.target.executable);
  if (!suppressions.is_ok()) return suppressions.status();
  campaign.suppressions = std::move(suppressions.value());
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(campaign.target, input); !status.is_ok()) return status;
  options.set_budget();

  RunReporter reporter(console);
  CampaignEnd end = Campaign(campaign, reporter).run();
  reporter.print_the_rest();
  console.clear_progress();
  if (!input.warning().empty()) end.result.notes.push_back(input.warning());
  const bool interrupted = campaign.target.deadline.interrupted();
  if (interrupted) end.result.notes.push_back("the campaign was interrupted");

  if (end.result.executions > 0) {
    TextOptions text;
    text.color = console.color();
    CampaignResult printed = end.result;
    std::erase_if(printed.notes, [&](const std::string& note) {
      return std::find(reporter.printed_notes().begin(), reporter.printed_notes().end(), note) !=
             reporter.printed_notes().end();
    });
    text.width = console.width();
    console.inform(text_of_summary(printed, text));
  }
  int code = exit_code(options, end, interrupted);
  if (!write_wanted_report(console, json_report(end.result), options.output.json)) code = kTrouble;
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

  options.heading("Output");
  define_out(options, campaign.out);
  define_json(options, chosen->output.json);
  define_quiet(options, chosen->output.quiet, "findings");
  define_color(options, chosen->output.color);

  options.notes("Strategies:\n" + described +
                "\nExamples:\n"
                "  ravel run -- ./bank                          search until something is found\n"
                "  ravel run --time 60s --keep-going -- ./bank  search for a minute, report every different finding\n"
                "  ravel run --expect deadlock -- ./bank        exit with 0 if a deadlock is found\n\n"
                "Exit codes: 0 nothing found, 1 findings, 2 usage or environment, 3 internal error.");
  return [chosen, &line] { return run(*chosen, line); };
}

}  // namespace ravel
