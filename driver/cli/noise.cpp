// SPDX-License-Identifier: Apache-2.0
// `ravel noise`: run a program many times in parallel, with noise, and report what fails and how often.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/report_files.h"
#include "driver/cli/shared_options.h"
#include "driver/noise/noise_campaign.h"
#include "driver/noise/noise_report.h"
#include "driver/target/program_file.h"

namespace ravel {
namespace {

constexpr std::uint64_t kEndless = ~std::uint64_t{0} >> 1;

struct NoiseCommandOptions {
  NoiseOptions noise;  // the program's part is filled in after inspecting it
  std::optional<std::uint64_t> runs;
  std::string kinds;
  std::string expect_output;
  std::string out = ".ravel";
  bool coverage = false;
  OutputOptions output;
};

class NoiseReporter final : public NoiseObserver {
 public:
  explicit NoiseReporter(Console& console) : console_(console) {}

  void on_progress(const NoiseProgress& now) override {
    if (!console_.wants_progress()) return;
    const std::string all = now.budget == 0 ? "" : fmt::format(" of {}", now.budget);
    console_.progress(fmt::format("{}{} run{}  {:.1f}/s  {} failed  {:.0f}% of the functions' tasks covered", now.runs,
                                  all, now.runs == 1 && all.empty() ? "" : "s",
                                  now.seconds > 0 ? static_cast<double>(now.runs) / now.seconds : 0, now.failures,
                                  100 * now.coverage));
  }

  void on_reproduction(const NoiseFailure& failure) override {
    if (!console_.wants_progress()) return;
    console_.progress(fmt::format("following the record of run {} ({})", failure.seen.first_execution,
                                  finding_name(failure.seen.finding.kind)));
  }

 private:
  Console& console_;
};

// Fills in what follows from the options. The error is the first option that makes no sense.
Status fill(NoiseCommandOptions& options, const std::string& program) {
  NoiseOptions& noise = options.noise;
  if (noise.time) noise.runs = kEndless;  // a time limit replaces the number of runs
  if (options.runs) noise.runs = *options.runs;
  if (!options.kinds.empty()) {
    const auto request = parse_noise(options.kinds);
    if (!request.is_ok()) return request.status();
    noise.noise = request.value();
  }
  if (!options.expect_output.empty()) {
    std::ifstream file(options.expect_output, std::ios::binary);
    std::error_code error;
    if (!file || std::filesystem::is_directory(options.expect_output, error)) {
      return Status::trouble(fmt::format("--expect-output: cannot read {}", options.expect_output),
                             "give a file that holds what the program should write");
    }
    noise.expected_output.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    noise.expected_name = options.expect_output;
  }
  noise.files = std::make_shared<ScheduleFiles>(options.out);
  if (Status status = noise.files->make_ready(); !status.is_ok()) return status;
  if (noise.coverage_file.empty()) {
    // One file per program: functions of another program would never be covered.
    const std::string name = std::filesystem::path(program).filename().string();
    noise.coverage_file = (std::filesystem::path(options.out) / fmt::format("coverage-{}.json", name)).string();
  }
  return Status::ok();
}

Result<int> noise(NoiseCommandOptions& options, const CommandLine& line) {
  Console console(options.output);
  const ReportFiles reports(options.output);
  TargetSettings& target = options.noise.target;
  if (const auto program = open_program(line.program, target); !program.is_ok()) return program.status();
  if (Status status = fill(options, line.program[0]); !status.is_ok()) return status;
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(target, input); !status.is_ok()) return status;
  if (options.noise.time) target.deadline = target.deadline.within(*options.noise.time);

  NoiseReporter reporter(console);
  NoiseEnd end = NoiseCampaign(options.noise, reporter).run();
  console.clear_progress();
  NoiseResult& result = end.result;
  if (!input.warning().empty()) result.notes.push_back(input.warning());
  if (target.deadline.interrupted()) result.notes.push_back("the runs were interrupted");

  NoiseTextOptions text;
  text.color = console.color();
  text.coverage_table = options.coverage;
  for (const NoiseFailure& failure : result.failures) console.print(text_of_failure(failure, result, text) + "\n");
  for (const ReportedFinding& race : result.races) console.print(text_of_race(race, text) + "\n");
  if (result.runs() > 0) console.inform(text_of_noise_summary(result, text));

  int code = result.has_findings() ? kFound : target.deadline.interrupted() ? kTrouble : kNothingFound;
  const bool written = reports.write(
      console, [&] { return result_of_noise(result); }, [&] { return json_of_noise(result); });
  if (!written) code = kTrouble;
  if (!end.trouble.is_ok()) {
    console.trouble(end.trouble);
    code = kTrouble;
  }
  return code;
}

}  // namespace

Command define_noise(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<NoiseCommandOptions>();
  NoiseOptions& noise_options = chosen->noise;
  options.usage("ravel noise [options] -- PROGRAM [ARGUMENTS]");
  options.takes_program();

  options.heading("Runs");
  options.number("--runs N", chosen->runs, "stop after this many runs with noise", 1, kEndless / 2)
      .or_else(fmt::format("{}, or no limit with --time", noise_options.runs));
  define_time(options, noise_options.time);
  define_seed(options, noise_options.seed, "the noise");
  options.number("--jobs N", noise_options.jobs, "runs at a time; their threads need the cores themselves", 1, 1024);
  define_timeout(options, noise_options.target.timeout, "one run; a run that takes longer counts as hanging");
  options.flag("--control", noise_options.control, "run it as many times without noise, in turn, to compare");
  options.flag("--stop-on-failure", noise_options.stop_on_failure, "stop at the first run that fails");

  options.heading("Noise");
  options.text("--noise LIST", chosen->kinds, "kinds of noise, with optional probabilities: sleep,yield:0.02")
      .or_else("all, adapted to the program");
  options.duration("--longest TIME", noise_options.longest, "longest sleep");
  options.flag("--no-record", noise_options.record,
               "do not record the order of concurrent events: faster, but a failing run gets no schedule");
  options.flag("--races", noise_options.races,
               "also look for data races and misuse of the heap, in controlled executions that follow the records of "
               "some runs");

  options.heading("What counts as a failure");
  define_ok_exit(options, noise_options.target.ok_exits);
  options.text("--expect-output FILE", chosen->expect_output,
               "what the program should write to standard output and standard error together");
  options.flag("--same-output", noise_options.same_output, "every run should write what the first run wrote");
  options.text("--oracle COMMAND", noise_options.oracle,
               "a shell command that judges each run by its exit code: it reads the output of the run, and finds its "
               "exit code in RAVEL_EXIT_CODE");

  options.heading("Coverage");
  options.share("--until-coverage SHARE", noise_options.until_coverage,
                "stop at this coverage: each function counts twice, once interrupted and once not");
  options.text("--coverage-file FILE", noise_options.coverage_file, "where coverage is kept between invocations")
      .or_else("OUT/coverage-PROGRAM.json");
  options.flag("--coverage", chosen->coverage, "print which functions were interrupted by which");

  options.heading("Output");
  define_out(options, chosen->out, "schedules and coverage");
  define_reports(options, chosen->output);
  define_quiet(options, chosen->output.quiet, "failures");
  define_color(options, chosen->output.color);

  options.exclude("--races", {"--no-record"});  // races are looked for near the records of runs
  options.exclude("--expect-output", {"--same-output"});
  options.notes(
      "Examples:\n"
      "  ravel noise -- ./system_test                         report every different failure once\n"
      "  ravel noise --control --runs 200 -- ./system_test    compare with runs without noise\n"
      "  ravel noise --races -- ./system_test                 and data races near the runs that passed\n"
      "  ravel noise --oracle 'grep -q ^ok' -- ./server_test  a command judges each run by its output\n"
      "  ravel noise --until-coverage 95% --coverage -- ./system_test\n\n"
      "Exit codes: 0 no run failed, 1 failures, 2 usage or environment, 3 internal error.");
  return [chosen, &line] { return noise(*chosen, line); };
}

}  // namespace ravel
