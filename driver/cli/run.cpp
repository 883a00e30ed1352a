// SPDX-License-Identifier: Apache-2.0
// `ravel run`: explore the schedules of a program and report what is found.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/shared_options.h"
#include "driver/target/program_file.h"
#include "reports/finding_groups.h"
#include "reports/json_report.h"
#include "reports/text_report.h"
#include "strategies/registry.h"

namespace ravel {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct RunOptions {
  CampaignOptions campaign;  // the program's part is filled in after inspecting it
  std::optional<std::uint64_t> executions;
  std::optional<std::chrono::nanoseconds> time;
  std::vector<std::string> suppressions;  // files, in the order given
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

// Files named on the command line, then the one that a sanitizer would take from the environment.
Result<Suppressions> load_suppressions(const RunOptions& options, const std::string& program) {
  std::vector<SuppressionSource> sources;
  for (const std::string& path : options.suppressions) sources.push_back({path, false});
  const char* const variable = std::getenv("TSAN_OPTIONS");
  const std::string named = variable == nullptr ? "" : suppressions_in_options(variable);
  if (!named.empty()) sources.push_back({named, true});
  return Suppressions::load(sources, program);
}

Result<int> run(RunOptions& options, const CommandLine& line) {
  Console console(options.output);
  CampaignOptions& campaign = options.campaign;
  if (const auto program = open_program(line.program, campaign.target); !program.is_ok()) return program.status();
  auto suppressions = load_suppressions(options, campaign.target.executable);
  if (!suppressions.is_ok()) return suppressions.status();
  campaign.suppressions = std::move(suppressions.value());
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(campaign.target, input); !status.is_ok()) return status;
  if (options.time) {
    campaign.target.deadline = campaign.target.deadline.within(*options.time);
    campaign.executions = kNoLimit;  // a time limit replaces the number of executions
  }
  if (options.executions) campaign.executions = *options.executions;

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
  auto chosen = std::make_shared<RunOptions>();
  CampaignOptions& campaign = chosen->campaign;
  campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  options.usage("ravel run [options] -- PROGRAM [ARGUMENTS]");
  options.takes_program();

  options.heading("Search");
  std::vector<std::string> strategies;
  std::string described;
  for (const StrategyDescription& strategy : list_strategies()) {
    strategies.emplace_back(strategy.name);
    described += help_line(strategy.name, strategy.sentence, 14);
  }
  options.choice("--strategy", campaign.strategy, strategies, "how to search; see below");
  options.number("--executions N", chosen->executions, "stop after this many executions", 1)
      .or_else(fmt::format("{}, or no limit with --time", campaign.executions));
  define_time(options, chosen->time);
  define_seed(options, campaign.seed, "the search and of the program's random numbers");
  options.number("--jobs N", campaign.jobs,
                 "executions at a time, one per core unless given; with 1 the campaign is reproducible", 1, 1024);
  options.flag("--keep-going", campaign.keep_going, "do not stop at the first finding");
  options.choice("--expect KIND", campaign.expect, finding_name, kFindingKinds,
                 "search for a finding of this kind: exit with 0 if it appears, else with 1. One of");
  options.flag("--verify, --no-verify", campaign.verify,
               "run the first execution twice and compare, to see whether the program is deterministic");
  options.flag("--shrink, --no-shrink", campaign.shrink,
               "shorten the schedule of the first finding of each kind, and explain it");
  define_ok_exit(options, campaign.target.ok_exits);
  options.list("--suppressions FILE", chosen->suppressions,
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
