// SPDX-License-Identifier: Apache-2.0
// `ravel noise`: run a program many times, really parallel and disturbed, and report what fails and how often.
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/options.h"
#include "driver/noise/noise_campaign.h"
#include "driver/noise/noise_report.h"
#include "driver/target/program_file.h"

namespace ravel {
namespace {

constexpr std::uint64_t kEndless = ~std::uint64_t{0} >> 1;

struct NoiseCommandOptions {
  NoiseOptions noise;
  std::optional<std::uint64_t> runs;
  std::string time;
  std::string timeout = "10s";
  std::string longest = "2ms";
  std::string kinds;
  std::string until_coverage;
  std::string coverage_file;
  std::string expect_output;
  std::string json;
  std::string junit;
  bool coverage = false;
  bool no_record = false;
  bool quiet = false;
  bool no_color = false;
};

// "95%" or "0.95".
std::optional<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (percent) value /= 100;
  return value > 0 && value <= 1 ? std::optional(value) : std::nullopt;
}

const CLI::Validator kShare(
    [](std::string& text) {
      return parse_share(text) ? std::string{} : "'" + text + "' is not a share such as 95% or 0.95";
    },
    "", "share");

class NoiseReporter final : public NoiseObserver {
 public:
  explicit NoiseReporter(Console& console) : console_(console) {}

  void on_progress(const NoiseProgress& now) override {
    if (!console_.wants_progress()) return;
    const std::string all = now.budget == 0 ? "" : fmt::format(" of {}", now.budget);
    console_.progress(fmt::format("{}{} runs  {:.1f}/s  {} failed  {:.0f}% of the functions' tasks covered", now.runs,
                                  all, now.seconds > 0 ? static_cast<double>(now.runs) / now.seconds : 0, now.failures,
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

// Texts of the command line as values; the trouble is the first that makes no sense.
Status fill(NoiseCommandOptions& options, const std::string& program) {
  NoiseOptions& noise = options.noise;
  noise.record = !options.no_record;
  if (noise.races && !noise.record) {
    return Status::trouble("--races and --no-record exclude each other",
                           "races are looked for near the records of runs; leave one of the two out");
  }
  noise.target.timeout = duration_value(options.timeout);
  noise.longest = duration_value(options.longest);
  if (!options.time.empty()) {
    noise.time = duration_value(options.time);
    noise.runs = kEndless;  // who says how long does not mean how many
  }
  if (!options.until_coverage.empty()) noise.until_coverage = parse_share(options.until_coverage);
  if (options.runs) noise.runs = *options.runs;
  if (!options.kinds.empty()) {
    const auto request = parse_noise(options.kinds);
    if (!request.is_ok()) return request.status();
    noise.noise = request.value();
  }
  if (!options.expect_output.empty()) {
    if (noise.same_output) {
      return Status::trouble("--expect-output and --same-output exclude each other",
                             "the output is compared with a file or with the first run's");
    }
    std::ifstream file(options.expect_output, std::ios::binary);
    std::error_code error;
    if (!file || std::filesystem::is_directory(options.expect_output, error)) {
      return Status::trouble(fmt::format("--expect-output: cannot read {}", options.expect_output),
                             "give a file that holds what the program should write");
    }
    noise.expected_output.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    noise.expected_name = options.expect_output;
  }
  std::error_code error;
  std::filesystem::create_directories(noise.out, error);
  if (error || !std::filesystem::is_directory(noise.out)) {
    return Status::trouble(
        fmt::format("cannot make the directory {}: {}", noise.out, error ? error.message() : "it is a file"),
        "choose another one: --out DIR");
  }
  noise.coverage_file = options.coverage_file;
  if (noise.coverage_file.empty()) {
    // Of each program its own: the functions of another one would never be covered.
    const std::string name = std::filesystem::path(program).filename().string();
    noise.coverage_file = (std::filesystem::path(noise.out) / fmt::format("coverage-{}.json", name)).string();
  }
  return Status::ok();
}

int noise(NoiseCommandOptions& options, const CommandLine& line) {
  Console console({options.quiet, options.no_color, options.json == "-" || options.junit == "-"});
  const auto give_up = [&](const Status& status) {
    console.trouble(status);
    return static_cast<int>(kTrouble);
  };
  if (line.program.empty()) {
    return give_up(Status::trouble("no program is given", "example: ravel noise -- ./system_test --its-options"));
  }
  NoiseOptions& noise = options.noise;
  if (const auto program = open_program(line.program, noise.target); !program.is_ok()) return give_up(program.status());
  if (const Status status = fill(options, line.program[0]); !status.is_ok()) return give_up(status);
  const std::atomic<bool>& interrupted = catch_interrupts();
  const auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) return give_up(input.status());

  noise.target.input = &input.value();
  noise.target.interrupted = &interrupted;

  NoiseReporter reporter(console);
  NoiseEnd end = NoiseCampaign(noise, reporter).run();
  console.clear_progress();
  NoiseResult& result = end.result;
  if (!input.value().warning().empty()) result.notes.push_back(input.value().warning());
  if (interrupted.load()) result.notes.push_back("the runs were interrupted");

  NoiseTextOptions text;
  text.color = console.color();
  text.coverage_table = options.coverage;
  for (const NoiseFailure& failure : result.failures) console.print(text_of_failure(failure, result, text) + "\n");
  for (const ReportedFinding& race : result.races) console.print(text_of_race(race, text) + "\n");
  if (result.runs() > 0) console.inform(text_of_noise_summary(result, text));

  int code = result.has_findings() ? kFound : interrupted.load() ? kTrouble : kNothingFound;
  if (!write_wanted_report(console, json_of_noise(result), options.json)) code = kTrouble;
  if (!write_wanted_report(console, junit_of_noise(result), options.junit)) code = kTrouble;
  if (!end.trouble.is_ok()) {
    console.trouble(end.trouble);
    code = kTrouble;
  }
  return code;
}

}  // namespace

Command add_noise(CLI::App& app, const CommandLine& line) {
  CLI::App* const command =
      app.add_subcommand("noise", "run a program many times, really parallel and disturbed, and count what fails");
  set_usage(*command, "ravel noise [options] -- PROGRAM [ARGUMENTS]");
  command->footer(
      "Examples:\n"
      "  ravel noise -- ./system_test                       1000 runs; every different failure is told once\n"
      "  ravel noise --control --runs 200 -- ./system_test  the same number without noise, to compare\n"
      "  ravel noise --races -- ./system_test               and data races near the runs that passed\n"
      "  ravel noise --oracle 'grep -q ^ok' -- ./server_test  a command judges each run by its output\n"
      "  ravel noise --until-coverage 95% --coverage -- ./system_test\n"
      "Exit codes: 0 no run failed, 1 failures, 2 usage or environment, 3 internal error.");
  auto options = std::make_shared<NoiseCommandOptions>();
  NoiseOptions& noise_options = options->noise;
  command->add_option("--runs", options->runs, "stop after so many runs with noise [1000; with --time no limit]")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, kEndless / 2));
  add_duration_option(*command, "--time", options->time, "stop after this time [no limit]");
  command->add_option("--seed", noise_options.seed, "of the noise [1]")->option_text("N");
  command->add_option("--jobs", noise_options.jobs, "runs at a time [1]: parallel threads want the cores themselves")
      ->option_text("N")
      ->check(CLI::Range(1U, 1024U));
  add_duration_option(*command, "--timeout", options->timeout, "a run that takes longer hangs [10s]");
  command
      ->add_option("--noise", options->kinds,
                   "kinds of noise, with their probability at one event if you like: sleep,yield:0.02 "
                   "[all, adapted to the program]")
      ->option_text("LIST");
  add_duration_option(*command, "--longest", options->longest, "longest sleep [2ms]");
  command->add_flag("--no-record", options->no_record,
                    "do not record the order of concurrent events: faster, but a failing run gets no schedule");
  command->add_flag("--races", noise_options.races,
                    "also look for data races and misuse of the heap: in controlled executions that follow the records "
                    "of some runs");
  command->add_flag("--control", noise_options.control, "as many runs without noise, in turn with the others");
  command->add_flag("--stop-on-failure", noise_options.stop_on_failure, "stop at the first run that fails");
  command
      ->add_option("--until-coverage", options->until_coverage,
                   "stop when so many of the functions' tasks are covered: interrupted, and not interrupted")
      ->option_text("SHARE")
      ->check(kShare);
  command
      ->add_option("--coverage-file", options->coverage_file,
                   "keeps coverage over invocations [OUT/coverage-PROGRAM.json]")
      ->option_text("FILE");
  command->add_flag("--coverage", options->coverage, "print which functions were interrupted by which");
  command
      ->add_option("--expect-output", options->expect_output,
                   "what the program should write to standard output and error, together")
      ->option_text("FILE");
  command->add_flag("--same-output", noise_options.same_output, "every run should write what the first one wrote");
  command
      ->add_option("--oracle", noise_options.oracle,
                   "run by sh after each run, with its output as input and RAVEL_EXIT_CODE; fails when it ends "
                   "with another code than 0")
      ->option_text("COMMAND");
  command->add_option("--out", noise_options.out, "directory for schedules and coverage [.ravel]")->option_text("DIR");
  command->add_option("--json", options->json, "write the summary to this file; - is standard output")
      ->option_text("FILE");
  command
      ->add_option("--junit", options->junit, "write the failures as test cases in JUnit's XML; - is standard output")
      ->option_text("FILE");
  command->add_flag("--quiet", options->quiet, "print failures only");
  command->add_flag("--no-color", options->no_color, "no colours (also: NO_COLOR in the environment)");
  return [options, &line] { return noise(*options, line); };
}

}  // namespace ravel
