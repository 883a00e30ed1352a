// SPDX-License-Identifier: Apache-2.0
// `ravel test`: runs the race tests that were woven into a program, each alone and many times.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/report_files.h"
#include "driver/cli/shared_options.h"
#include "driver/race_tests/changed_tests.h"
#include "driver/race_tests/test_report.h"
#include "driver/target/execution_record.h"
#include "driver/target/program_file.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

// Under valgrind everything takes fifty times as long, and a wait must outlast what it waits for.
struct Patience {
  std::chrono::nanoseconds timeout;
  std::chrono::nanoseconds wait_limit;
};
constexpr Patience kPatience{std::chrono::seconds(10), std::chrono::seconds(2)};
constexpr Patience kValgrindPatience{std::chrono::seconds(60), std::chrono::seconds(10)};

struct TestCommandOptions {
  TestRunOptions run;
  std::string woven;
  std::vector<std::string> tests;
  bool hunt = false;
  std::string changed;
  std::optional<std::chrono::nanoseconds> timeout;
  std::optional<std::chrono::nanoseconds> wait_limit;
  OutputOptions output;
};

// A test to run, and why it runs before others.
struct Chosen {
  WovenTest test;
  std::string reason;
};

Result<fs::path> find_list(const TestCommandOptions& options, const fs::path& program) {
  std::error_code error;
  if (!options.woven.empty()) {
    const fs::path given = options.woven;
    return fs::is_directory(given, error) ? given / kWovenList : given;
  }
  const fs::path beside = list_beside(program);
  if (fs::exists(beside, error)) return beside;
  const fs::path in_directory = fs::absolute(program, error).parent_path() / kWovenList;
  if (fs::exists(in_directory, error)) return in_directory;
  return Status::trouble(fmt::format("there is no list of race tests next to {}: neither {} nor {}", program.string(),
                                     beside.filename().string(), kWovenList),
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

Result<int> test(TestCommandOptions& options, const CommandLine& line) {
  Console console(options.output);
  const ReportFiles reports(options.output);
  if (line.program.empty()) {
    return Status::trouble("no program is given", "example: ravel test --hunt -- ./woven_program");
  }
  const bool valgrind = options.run.detector == Detector::helgrind || options.run.detector == Detector::drd;
  const Patience& patience = valgrind ? kValgrindPatience : kPatience;
  options.run.program = line.program;
  options.run.timeout = options.timeout.value_or(patience.timeout);
  options.run.wait_limit = options.wait_limit.value_or(patience.wait_limit);
  const auto program = inspect_program(line.program[0]);
  if (!program.is_ok()) return program.status();
  const auto list = find_list(options, program.value().path);
  if (!list.is_ok()) return list.status();
  const auto chosen = choose(options, list.value());
  if (!chosen.is_ok()) return chosen.status();
  const Deadline deadline(catch_interrupts());
  options.run.deadline = deadline;

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
    console.inform(fmt::format("no test runs first: nothing that changed since {} concerns one\n", options.changed));
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
    if (deadline.has_come()) break;
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
  if (!trouble.is_ok()) return trouble;
  console.inform(text_of_test_summary(summary));
  const bool all = std::all_of(summary.outcomes.begin(), summary.outcomes.end(),
                               [&](const TestOutcome& one) { return has_passed(one.result, options.hunt); });
  int code = all ? kNothingFound : kFound;
  if (deadline.has_come()) {
    console.trouble(Status::trouble("the tests were interrupted", ""));
    code = kTrouble;
  }
  const bool written = reports.write(
      console, [&] { return result_of_tests(summary); }, [&] { return json_of_tests(summary); });
  if (!written) code = kTrouble;
  return code;
}

}  // namespace

Command define_test(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<TestCommandOptions>();
  const auto default_of = [](std::chrono::nanoseconds usual, std::chrono::nanoseconds valgrind) {
    return fmt::format("{}, or {} under valgrind", duration_text(usual), duration_text(valgrind));
  };
  options.usage("ravel test [options] -- PROGRAM [ARGUMENTS]");
  options.takes_program();

  options.heading("Tests");
  options.text("--woven DIR|FILE", chosen->woven, "the directory that ravel weave wrote, or its list of tests")
      .or_else("PROGRAM.race-tests.json");
  options.list("--test NAME", chosen->tests, "run only this test; may be given several times");
  options.text("--changed REV", chosen->changed, "first run the tests of code that changed since this git revision");
  options.number("--repeat N", chosen->run.repeats, "how many times to run each test", 1, 1'000'000);
  options.flag("--hunt", chosen->hunt, "pass a test if it reports what it expects, not if it reports nothing");

  options.heading("Execution");
  options.choice("--detector", chosen->run.detector, detector_name, 4, "what looks for races");
  define_seed(options, chosen->run.seed, "the first repeat; each later repeat uses the next");
  define_timeout(options, chosen->timeout, "one repeat")
      .or_else(default_of(kPatience.timeout, kValgrindPatience.timeout));
  options
      .duration("--wait-limit TIME", chosen->wait_limit, "longest wait for an event, under detectors other than ravel")
      .or_else(default_of(kPatience.wait_limit, kValgrindPatience.wait_limit));

  options.heading("Output");
  define_out(options, chosen->run.out);
  define_reports(options, chosen->output);
  define_quiet(options, chosen->output.quiet, "failed tests and errors");

  options.notes(
      "Each test runs alone, --repeat times. As a regression test it passes if what it expects is not\n"
      "reported and nothing else is found; a fix may make the order that it forces impossible.\n"
      "With --hunt it passes if what it expects is reported in every repeat.\n\n"
      "Examples:\n"
      "  ravel test -- ./woven_tests                        after the fix: the races are gone\n"
      "  ravel test --hunt --repeat 100 -- ./woven_tests    before it: each race shows every time\n"
      "  ravel test --changed main -- ./woven_tests         the tests of what changed come first\n"
      "  ravel test --detector tsan -- ./woven_tests_tsan   the same tests under ThreadSanitizer\n\n"
      "Exit codes: 0 all passed, 1 some failed, 2 usage or environment, 3 internal error.");
  return [chosen, &line] { return test(*chosen, line); };
}

}  // namespace ravel
