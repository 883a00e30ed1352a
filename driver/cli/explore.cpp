// SPDX-License-Identifier: Apache-2.0
// `ravel explore`: what ravel::explore in a test process starts (include/ravel/explore.h). It starts the test program
// again under control, up to that call, explores the body, and tells the test process what came of it.
//
// The answer is a text on the descriptor --result: one "key value" a line, then a line "message" and everything that
// the test should say, then "end". An answer without "end" is that of a process that died.
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/campaign/exhaustive_first.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/replay_report.h"
#include "driver/cli/run_options.h"
#include "driver/cli/shared_options.h"
#include "driver/replay/replay.h"
#include "driver/target/program_file.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

struct ExploreCommandOptions : RunOptions {
  std::uint64_t call = 1;
  std::uint64_t test_case = 0;
  std::uint64_t failed = 0;
  std::uint64_t result = 1;  // a descriptor
  std::string replay;        // a schedule; empty: explore
};

// What the test process gets to know.
struct Answer {
  bool passed = false;
  bool about_another_call = false;  // the schedule to be replayed is not of this call
  bool complete = false;
  std::uint64_t executions = 0;
  std::uint64_t distinct_orders = 0;
  std::uint64_t partial_orders = 0;
  std::uint64_t fingerprint = 0;
  std::vector<const ReportedFinding*> findings;
  std::string summary;  // one line
  std::string message;
};

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

void send(const Answer& answer, int descriptor) {
  std::string text = fmt::format(
      "passed {:d}\nanother {:d}\ncomplete {:d}\nexecutions {}\norders {}\npartial {}\nfingerprint {}\n"
      "summary {}\n",
      answer.passed, answer.about_another_call, answer.complete, answer.executions, answer.distinct_orders,
      answer.partial_orders, answer.fingerprint, one_line(answer.summary));
  for (const ReportedFinding* finding : answer.findings) {
    text += fmt::format("finding {}\t{}\t{}\n", finding_name(finding->finding.kind), finding->schedule_path,
                        one_line(finding->finding.message));
  }
  text += fmt::format("message\n{}\nend\n", answer.message);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + sent, text.size() - sent);
    if (count <= 0) return;  // the test process is gone
    sent += static_cast<std::size_t>(count);
  }
}

std::string text_of_trouble(const Status& status) {
  return status.advice().empty() ? status.what() : fmt::format("{}\n  {}", status.what(), status.advice());
}

class Findings final : public CampaignObserver {
 public:
  void on_progress(const CampaignProgress&) override {}
  void on_finding(const ReportedFinding&) override {}
};

// "complete: 212 partial orders, 230 executions", or what became of the budget.
std::string summary_of(const CampaignResult& result, const BudgetUse& use, bool exhaustive_first) {
  const std::string executions = counted(result.executions, "execution");
  std::string text;
  if (!result.findings.empty()) {
    text = fmt::format("{} in {}", counted(result.findings.size(), "finding"), executions);
  } else if (result.complete) {
    const std::uint64_t classes = result.search ? result.search->classes : result.distinct_orders;
    text = fmt::format("complete: {}, {}", counted(classes, "partial order"), executions);
  } else {
    text = fmt::format("not complete: {}, {}", executions, counted(result.distinct_orders, "distinct order"));
    if (exhaustive_first) {
      text += fmt::format(
          "; {} by dpor{}, {} by the portfolio", use.exhaustive,
          use.estimate > static_cast<double>(use.exhaustive) ? fmt::format(" (of about {:.3g})", use.estimate) : "",
          use.portfolio);
    }
  }
  if (!result.instrumented && result.executions > 0) {
    text += "; memory was not seen: build the test with `ravel c++` or ravel_instrument(target)";
  }
  return text;
}

Answer trouble(const Status& status) {
  Answer answer;
  answer.summary = status.what();
  answer.message = "ravel: " + text_of_trouble(status);
  return answer;
}

Status explore(ExploreCommandOptions& options, const CommandLine& line) {
  CampaignOptions& campaign = options.campaign;
  StandardInput input = StandardInput::none();
  if (Status status = prepare_campaign(options, line.program, input); !status.is_ok()) return status;
  const ExhaustiveFirst::Clock::time_point now = ExhaustiveFirst::Clock::now();
  campaign.target.launch.explored_call = static_cast<std::uint32_t>(options.call);
  campaign.target.launch.explored_case = options.test_case;
  campaign.target.launch.explored_failed = options.failed;

  BudgetUse use;
  const bool exhaustive_first = campaign.strategy == "auto";
  if (exhaustive_first) {
    const std::uint64_t share = std::max<std::uint64_t>(1, campaign.executions / 2);
    const auto until = options.time
                           ? now + std::chrono::duration_cast<ExhaustiveFirst::Clock::duration>(*options.time / 2)
                           : ExhaustiveFirst::Clock::time_point::max();
    campaign.planner = [&options, &use, share, until] {
      return std::make_unique<ExhaustiveFirst>(options.campaign.seed, share, until, use);
    };
  }
  Findings nobody;
  const CampaignEnd end = Campaign(campaign, nobody).run();
  const CampaignResult& result = end.result;
  if (!end.trouble.is_ok() && result.findings.empty()) return end.trouble;
  if (!end.internal_error.empty()) {
    return Status::trouble("internal error: " + end.internal_error,
                           "please report it with the schedule, if there is one");
  }
  if (result.executions == 0) {
    return Status::trouble(fmt::format("no execution came to its end: {}", campaign.target.deadline.reason()),
                           "allow more time");
  }
  Answer answer;
  answer.passed = result.findings.empty() && result.has_verdict() && !campaign.target.deadline.interrupted();
  answer.complete = result.complete;
  answer.executions = result.executions;
  answer.distinct_orders = result.distinct_orders;
  if (result.search) answer.partial_orders = result.search->classes;
  answer.fingerprint = result.fingerprint;
  answer.summary = summary_of(result, use, exhaustive_first);
  for (const ReportedFinding& finding : result.findings) {
    answer.findings.push_back(&finding);
    answer.message += text_of_finding(finding, {}) + "\n";
  }
  for (const std::string& note : result.notes) answer.message += fmt::format("note: {}\n", note);
  if (!result.has_verdict()) answer.message += "no verdict: no execution came to its end\n";
  answer.message += answer.summary;
  send(answer, static_cast<int>(options.result));
  return Status::ok();
}

// Only if the schedule is of this call.
Status replay(const ExploreCommandOptions& options) {
  Console console;
  auto opened = open_schedule(options.replay, options.campaign.target.timeout, console);
  if (!opened.is_ok()) return opened.status();
  Schedule& schedule = opened.value().schedule;
  TargetSettings& settings = opened.value().settings;
  if (schedule.launch.explored_call == 0) {
    return Status::trouble(fmt::format("{} is not a schedule of a ravel::explore call", options.replay),
                           fmt::format("run it with: ravel replay {}", options.replay));
  }
  Answer answer;
  if (schedule.launch.explored_call != options.call || schedule.launch.explored_case != options.test_case) {
    answer.passed = true;
    answer.about_another_call = true;
    answer.summary = fmt::format("not explored: RAVEL_REPLAY={} is of another call", options.replay);
    send(answer, static_cast<int>(options.result));
    return Status::ok();
  }
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(settings, input); !status.is_ok()) return status;
  const std::optional<FindingKind> expected = schedule.finding;
  Replay again(std::move(schedule), settings, options.replay);
  for (const std::string& warning : again.warnings()) console.warn(warning);
  const auto run = again.run(false);
  if (!run.is_ok()) return run.status();
  if (!run.value().internal_error.empty()) {
    return Status::trouble("internal error: " + run.value().internal_error, "please report it with the schedule");
  }
  answer.passed = !run.value().finding && run.value().others.empty();
  answer.executions = 1;
  answer.distinct_orders = 1;
  if (run.value().finding) answer.findings.push_back(&*run.value().finding);
  for (const ReportedFinding& other : run.value().others) answer.findings.push_back(&other);
  answer.summary = fmt::format("replayed {}", options.replay);
  answer.message = replay_report(run.value(), expected, {});
  send(answer, static_cast<int>(options.result));
  return Status::ok();
}

Result<int> answer_test(ExploreCommandOptions& options, const CommandLine& line) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // nobody waits for the answer of a test that is gone
  const Status status = options.replay.empty() ? explore(options, line) : replay(options);
  if (!status.is_ok()) send(trouble(status), static_cast<int>(options.result));
  return kNothingFound;
}

}  // namespace

Command define_explore(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<ExploreCommandOptions>();
  chosen->campaign.executions = 2000;
  options.usage("ravel explore [options] --result FD -- PROGRAM [ARGUMENTS]");
  options.takes_program();
  options.heading("Call");
  options.number("--call N", chosen->call, "which call of ravel::explore in its test case, from 1", 1, 0xffffffff);
  options.number("--case N", chosen->test_case, "the test case: the hash of its name", 0,
                 std::numeric_limits<std::uint64_t>::max());
  options.number("--failed N", chosen->failed, "which earlier calls failed, as bits", 0,
                 std::numeric_limits<std::uint64_t>::max());
  options.number("--result FD", chosen->result, "the descriptor to write the answer to", 0, 1023);
  options.text("--replay FILE", chosen->replay, "replay this schedule if it is of this call; explore nothing");
  const std::string described = define_run_options(options, *chosen);
  options.heading("Output");
  define_out(options, chosen->campaign.out);
  options.notes("Strategies:\n" + described +
                "\nThis command is started by ravel::explore in a test (#include <ravel/explore.h>), not by people:\n"
                "docs/tutorial.md shows how such a test looks. With --strategy auto half of the budget goes to dpor,\n"
                "which may explore every schedule, and the rest to the portfolio.\n\n"
                "Exit codes: 0 the answer was written, whatever it is; 2 usage or environment.");
  return [chosen, &line] { return answer_test(*chosen, line); };
}

}  // namespace ravel
