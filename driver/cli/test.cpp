// SPDX-License-Identifier: Apache-2.0
// `ravel test`: runs the race tests that were woven into a program, each alone and many times.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/options.h"
#include "driver/race_tests/changed_tests.h"
#include "driver/race_tests/test_report.h"
#include "driver/target/program_file.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListName = "race-tests.json";

struct TestCommandOptions {
  TestRunOptions run;
  std::string woven;
  std::vector<std::string> tests;
  bool hunt = false;
  std::string detector = "ravel";
  std::string changed;
  std::string timeout;
  std::string wait_limit;
  std::string json;
  std::string junit;
  bool quiet = false;
};

// A test that is going to run, and why it does so before others.
struct Chosen {
  WovenTest test;
  std::string reason;
};

Result<fs::path> find_list(const TestCommandOptions& options, const fs::path& program) {
  std::error_code error;
  if (!options.woven.empty()) {
    const fs::path given = options.woven;
    return fs::is_directory(given, error) ? given / kListName : given;
  }
  const fs::path beside = program.string() + "." + kListName;
  if (fs::exists(beside, error)) return beside;
  const fs::path in_directory = fs::absolute(program, error).parent_path() / kListName;
  if (fs::exists(in_directory, error)) return in_directory;
  return Status::trouble(fmt::format("there is no list of race tests beside {}: neither {} nor {}", program.string(),
                                     beside.filename().string(), kListName),
                         "name the directory that ravel weave wrote: --woven DIR");
}

Result<std::vector<Chosen>> choose(const TestCommandOptions& options, const fs::path& list) {
  auto all = read_woven_tests(list);
  if (!all.is_ok()) return all.status();
  std::vector<Chosen> chosen;
  for (const std::string& name : options.tests) {
    const auto is_it = [&](const WovenTest& test) { return test.name == name; };
    if (std::any_of(all.value().begin(), all.value().end(), is_it)) continue;
    std::string names;
    for (const WovenTest& test : all.value()) names += (names.empty() ? "" : ", ") + test.name;
    return Status::trouble(fmt::format("{} has no test {}", list.string(), name), "its tests are: " + names);
  }
  for (WovenTest& test : all.value()) {
    const bool wanted = options.tests.empty() ||
                        std::find(options.tests.begin(), options.tests.end(), test.name) != options.tests.end();
    if (wanted) chosen.push_back({std::move(test), ""});
  }
  if (chosen.empty()) {
    return Status::trouble(fmt::format("{} has no tests", list.string()),
                           "weave some: ravel weave --tests DIR --out DIR");
  }
  if (options.changed.empty()) return chosen;
  const auto changes = changes_since(options.changed, chosen.front().test.file.parent_path());
  if (!changes.is_ok()) return changes.status();
  for (Chosen& one : chosen) one.reason = reason_to_run_first(one.test, changes.value());
  std::stable_partition(chosen.begin(), chosen.end(), [](const Chosen& one) { return !one.reason.empty(); });
  return chosen;
}

// Texts of the command line as values.
void fill(TestCommandOptions& options, const CommandLine& line) {
  TestRunOptions& run = options.run;
  run.program = line.program;
  for (const Detector detector : {Detector::ravel, Detector::tsan, Detector::helgrind, Detector::drd}) {
    if (options.detector == detector_name(detector)) run.detector = detector;
  }
  // Under valgrind everything takes fifty times as long, and a wait must outlast what it waits for.
  const bool valgrind = run.detector == Detector::helgrind || run.detector == Detector::drd;
  run.timeout = duration_value(!options.timeout.empty() ? options.timeout : valgrind ? "60s" : "10s");
  run.wait_limit = duration_value(!options.wait_limit.empty() ? options.wait_limit : valgrind ? "10s" : "2s");
}

int test(TestCommandOptions& options, const CommandLine& line) {
  Console console({options.quiet, true, options.json == "-" || options.junit == "-"});
  const auto give_up = [&](const Status& status) {
    console.trouble(status);
    return static_cast<int>(kTrouble);
  };
  if (line.program.empty()) {
    return give_up(Status::trouble("no program is given", "example: ravel test --hunt -- ./woven_program"));
  }
  fill(options, line);
  const auto program = inspect_program(line.program[0]);
  if (!program.is_ok()) return give_up(program.status());
  const auto list = find_list(options, program.value().path);
  if (!list.is_ok()) return give_up(list.status());
  const auto chosen = choose(options, list.value());
  if (!chosen.is_ok()) return give_up(chosen.status());
  const std::atomic<bool>& interrupted = catch_interrupts();
  options.run.interrupted = &interrupted;

  const auto began = std::chrono::steady_clock::now();
  TestSummary summary;
  summary.program = line.program;
  summary.detector = options.run.detector;
  summary.hunt = options.hunt;
  summary.seed = options.run.seed;
  std::size_t width = 0;
  for (const Chosen& one : chosen.value()) width = std::max(width, one.test.name.size());
  for (const Chosen& one : chosen.value()) {
    if (!one.reason.empty()) console.inform(fmt::format("{} runs first: {}\n", one.test.name, one.reason));
  }
  if (!options.changed.empty() && chosen.value().front().reason.empty()) {
    console.inform(fmt::format("no test runs first: what has changed since {} is about none\n", options.changed));
  }
  Status trouble = Status::ok();
  for (const Chosen& one : chosen.value()) {
    if (console.wants_progress()) {
      console.progress(
          fmt::format("{} of {} tests  {}", summary.outcomes.size(), chosen.value().size(), one.test.name));
    }
    auto result = run_race_test(one.test, options.run);
    if (!result.is_ok()) {
      trouble = result.status();
      break;
    }
    if (interrupted.load()) break;
    summary.outcomes.push_back({one.test, std::move(result.value()), one.reason});
    const TestOutcome& outcome = summary.outcomes.back();
    const std::string text = text_of_test(outcome, options.hunt, width);
    if (has_passed(outcome.result, options.hunt)) {
      console.inform(text);
    } else {
      console.print(text);
    }
  }
  console.clear_progress();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!trouble.is_ok()) return give_up(trouble);
  console.inform(text_of_test_summary(summary));
  const bool all = std::all_of(summary.outcomes.begin(), summary.outcomes.end(),
                               [&](const TestOutcome& one) { return has_passed(one.result, options.hunt); });
  int code = all ? kNothingFound : kFound;
  if (interrupted.load()) {
    console.trouble(Status::trouble("the tests were interrupted", ""));
    code = kTrouble;
  }
  if (!write_wanted_report(console, json_of_tests(summary), options.json)) code = kTrouble;
  if (!write_wanted_report(console, junit_of_tests(summary), options.junit)) code = kTrouble;
  return code;
}

}  // namespace

Command add_test(CLI::App& app, const CommandLine& line) {
  CLI::App* const command = app.add_subcommand("test", "run the race tests that were woven into a program");
  set_usage(*command, "ravel test [options] -- PROGRAM [ARGUMENTS]");
  command->footer(
      "Each test runs alone, as often as --repeat says. As a regression test it passes when what it expects is not\n"
      "reported, and nothing else is found; an order that is not possible any more is what a fix brings about.\n"
      "With --hunt it passes when what it expects is reported in every repeat.\n"
      "Examples:\n"
      "  ravel test -- ./woven_tests                        after the fix: the races stay away\n"
      "  ravel test --hunt --repeat 100 -- ./woven_tests    before it: each race shows every time\n"
      "  ravel test --changed main -- ./woven_tests         those first that the change is about\n"
      "  ravel test --detector tsan -- ./woven_tests_tsan   the same tests under ThreadSanitizer\n"
      "Exit codes: 0 all passed, 1 some failed, 2 usage or environment, 3 internal error.");
  auto options = std::make_shared<TestCommandOptions>();
  command
      ->add_option("--woven", options->woven,
                   "directory that ravel weave wrote, or its list of tests [PROGRAM.race-tests.json]")
      ->option_text("DIR|FILE");
  command->add_option("--test", options->tests, "run only this test; may be given several times")
      ->option_text("NAME")
      ->allow_extra_args(false);
  command->add_option("--repeat", options->run.repeats, "run each test so often [10]")
      ->option_text("N")
      ->check(CLI::Range(1U, 1'000'000U));
  command->add_flag("--hunt", options->hunt, "pass when what a test expects is reported, and not the other way round");
  command->add_option("--detector", options->detector, "who looks for races: ravel, tsan, helgrind, drd [ravel]")
      ->option_text("NAME")
      ->check(CLI::IsMember({"ravel", "tsan", "helgrind", "drd"}));
  command->add_option("--changed", options->changed, "first the tests that changes since this git revision are about")
      ->option_text("REV");
  command->add_option("--seed", options->run.seed, "of the first repeat; the next one has the next [1]")
      ->option_text("N");
  add_duration_option(*command, "--timeout", options->timeout, "longest time of one repeat [10s; valgrind 60s]");
  add_duration_option(*command, "--wait-limit", options->wait_limit,
                      "longest wait for an event, under other detectors than ravel [2s; valgrind 10s]");
  command->add_option("--out", options->run.out, "directory for schedules [.ravel]")->option_text("DIR");
  command->add_option("--json", options->json, "write a summary in JSON; - is stdout")->option_text("F");
  command->add_option("--junit", options->junit, "write the results as JUnit XML; - is stdout")->option_text("F");
  command->add_flag("--quiet", options->quiet, "print failed tests and troubles only");
  return [options, &line] { return test(*options, line); };
}

}  // namespace ravel
