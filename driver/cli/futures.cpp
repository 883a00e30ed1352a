// SPDX-License-Identifier: Apache-2.0
// `ravel futures`: which writes each shared read can see, an execution for each, and executions with chosen ones.
#include <unistd.h>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/options.h"
#include "driver/futures/future_comparison.h"
#include "driver/futures/future_report.h"
#include "driver/futures/future_search.h"
#include "driver/futures/request_search.h"
#include "driver/target/program_file.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostExecutions = 1'000'000;
constexpr int kInfeasible = 4;  // --force: what was asked for cannot be

struct FutureCommandOptions {
  PoolOptions pool;
  FutureOptions search;
  std::vector<std::string> compare;  // two schedules
  std::vector<std::string> force;
  std::vector<std::string> initial;
  std::string check;
  std::string terms;
  std::string graph;
  std::string json;
  std::string time = "60s";
  std::string timeout = "10s";
  std::string memory_model = "c11";
  std::string carrier = "fiber";
  bool races = false;
  bool all = false;
  bool quiet = false;
};

Status write_graph(const FutureCommandOptions& options, const ObservedExecution& seen) {
  if (options.graph.empty()) return Status::ok();
  return write_report(graph_of_execution(seen, options.graph.ends_with(".json")), options.graph);
}

Result<std::vector<FutureChoice>> choices_of(const FutureCommandOptions& options) {
  std::vector<FutureChoice> choices;
  for (const std::string& text : options.force) {
    auto choice = parse_choice(text);
    if (!choice.is_ok()) return choice.status();
    choices.push_back(std::move(choice.value()));
  }
  for (const std::string& text : options.initial) {
    auto choice = parse_initial(text);
    if (!choice.is_ok()) return choice.status();
    choices.push_back(std::move(choice.value()));
  }
  return choices;
}

Result<int> force(const FutureCommandOptions& options, const std::vector<FutureChoice>& choices, ExecutionPool& pool,
                  const CommandLine& line, Console& console) {
  const auto forced = RequestSearch(pool, options.search.proof).force(choices);
  console.clear_progress();
  if (!forced.is_ok()) return forced.status();
  const RequestAnswer& result = forced.value();
  const std::string schedule = result.shown_by ? pool.schedule(*result.shown_by) : "";
  std::string executions = counted(result.executions, "execution");
  if (result.proof_executions > 0)
    executions += fmt::format(", {} more of an exhaustive search", result.proof_executions);
  int code = kTrouble;
  if (result.shown_by) {
    const PerformedExecution& performed = pool.kept()[*result.shown_by];
    std::string outcome = "passed";
    if (!performed.findings.empty()) {
      outcome = fmt::format("{}: {}", finding_name(performed.findings[0].kind), performed.findings[0].message);
    }
    console.print(
        fmt::format("realised: the execution {}\n", performed.findings.empty() ? "passed" : "found " + outcome));
    for (const FutureChoice& choice : choices) console.print(fmt::format("  {}\n", choice.text));
    if (!performed.record.output.empty()) {
      console.print(fmt::format("  it wrote: {}{}", performed.record.output,
                                performed.record.output.ends_with('\n') ? "" : "\n"));
    }
    if (!schedule.empty()) console.print(fmt::format("  schedule: {}\n", schedule));
    code = performed.findings.empty() ? kNothingFound : kFound;
    if (Status status = write_graph(options, performed.seen); !status.is_ok()) return status;
  } else if (result.status == FutureStatus::infeasible) {
    console.print(fmt::format("infeasible: {}\n", result.reason));
    code = kInfeasible;
  } else {
    console.print(fmt::format("not found within the budget: {}\n", result.reason));
    console.print("  allow more: --executions, --proof, --time\n");
  }
  console.inform(executions + "\n");
  if (!options.json.empty()) {
    // What these executions have shown, with the request's own answer.
    FutureTable table = FutureSearch(pool, options.search).table();
    table.request = FutureRequest{{}, result.status, result.reason, schedule};
    for (const FutureChoice& choice : choices) table.request->choices.push_back(choice.text);
    if (Status status = write_report(json_of_futures(table, line.program), options.json); !status.is_ok())
      return status;
  }
  return code;
}

Result<int> explore(const FutureCommandOptions& options, ExecutionPool& pool, const CommandLine& line,
                    Console& console) {
  std::vector<UnwantedFuture> unwanted;
  if (!options.check.empty()) {
    auto read = read_unwanted(options.check);
    if (!read.is_ok()) return read.status();
    unwanted = std::move(read.value());
  }
  const auto explored = FutureSearch(pool, options.search).explore();
  console.clear_progress();
  if (!explored.is_ok()) return explored.status();
  const FutureTable& table = explored.value();
  if (!options.json.empty()) {
    if (Status status = write_report(json_of_futures(table, line.program), options.json); !status.is_ok())
      return status;
  }
  const auto failing = [](const PerformedExecution& one) { return !one.findings.empty(); };
  const auto& executions = pool.kept();
  const auto first = std::find_if(executions.begin(), executions.end(), failing);
  if (Status status = write_graph(options, (first == executions.end() ? executions.front() : *first).seen);
      !status.is_ok()) {
    return status;
  }
  if (!unwanted.empty()) {
    bool fine = true;
    for (const UnwantedFuture& one : unwanted) {
      const CheckedFuture checked = check_future(one, table);
      console.print(checked.text + "\n");
      fine = fine && checked.fine;
    }
    return fine ? kNothingFound : kFound;
  }
  console.inform(text_of_futures(table, options.all));
  return first == executions.end() ? kNothingFound : kFound;
}

// Two schedules of `ravel futures`, of one program: what do their executions differ in?
Result<int> compare(const FutureCommandOptions& options, const CommandLine& line, Console& console) {
  if (!line.program.empty()) {
    return Status::trouble("--compare needs no program: the schedules name it", "leave out what stands after --");
  }
  std::vector<OpenedSchedule> opened;
  std::vector<std::string> paths;
  // Before the directory changes.
  for (const std::string& path : options.compare) paths.push_back(std::filesystem::absolute(path).string());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    auto one = open_schedule(paths[i], console);
    if (!one.is_ok()) return one.status();
    if (one.value().schedule.launch.points != PointLevel::all || one.value().schedule.plan.short_sleeps == 0) {
      return Status::trouble(fmt::format("{} was not written by `ravel futures`", options.compare[i]),
                             "name two files that its table names; `ravel explain` tells of a schedule alone");
    }
    opened.push_back(std::move(one.value()));
  }
  if (opened[0].settings.executable != opened[1].settings.executable ||
      opened[0].schedule.program != opened[1].schedule.program) {
    return Status::trouble(fmt::format("{} and {} are not of one program", options.compare[0], options.compare[1]),
                           "name two files of one table");
  }
  if (!opened[0].schedule.finding || opened[1].schedule.finding) {
    return Status::trouble(fmt::format("{} {}", options.compare[opened[0].schedule.finding ? 1 : 0],
                                       opened[0].schedule.finding ? "has a finding" : "has no finding"),
                           "name first a future that fails, then one that passes");
  }
  auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) return input.status();
  TargetSettings& settings = opened[0].settings;
  settings.input = &input.value();
  settings.interrupted = &catch_interrupts();
  settings.timeout = duration_value(options.timeout);
  const auto compared = compare_futures(opened[0].schedule, opened[1].schedule, settings);
  if (!compared.is_ok()) return compared.status();
  console.print(text_of_comparison(compared.value(), options.compare[0], options.compare[1]));
  return kFound;
}

Result<int> perform(FutureCommandOptions& options, const CommandLine& line, Console& console) {
  if (!options.compare.empty()) return compare(options, line, console);
  if (line.program.empty()) {
    return Status::trouble("no program is given", "example: ravel futures -- ./prog --its-options");
  }
  const auto choices = choices_of(options);
  if (!choices.is_ok()) return choices.status();
  if (!options.terms.empty()) {
    auto terms = FutureTerms::load(options.terms);
    if (!terms.is_ok()) return terms.status();
    options.search.terms = std::move(terms.value());
  }
  TargetSettings& target = options.pool.target;
  const auto program = open_program(line.program, target);
  if (!program.is_ok()) return program.status();
  if (program.value().level != BuildLevel::tsan_shared) {
    return Status::trouble(fmt::format("{} was not built so that its memory accesses can be seen", line.program[0]),
                           "build it with `ravel c++` instead of the compiler, with -g");
  }
  const auto input = StandardInput::take(STDIN_FILENO);
  if (!input.is_ok()) return input.status();
  target.launch.memory_model = memory_model_value(options.memory_model);
  target.launch.carrier = carrier_value(options.carrier);
  target.launch.races = options.races ? 1 : 0;
  target.timeout = duration_value(options.timeout);
  target.input = &input.value();
  target.interrupted = &catch_interrupts();
  options.search.interrupted = target.interrupted;
  options.pool.time = duration_value(options.time);
  options.pool.progress = [&console](std::uint64_t executions) {
    if (console.wants_progress()) console.progress(fmt::format("{} executions", executions));
  };
  ExecutionPool pool(options.pool);
  return choices.value().empty() ? explore(options, pool, line, console)
                                 : force(options, choices.value(), pool, line, console);
}

// Options that would do nothing beside others.
void refuse_without_effect(CLI::App& command) {
  CLI::Option* const compare = command.get_option("--compare");
  for (CLI::Option* const other : command.get_options()) {
    const std::string name = other->get_name();
    if (other != compare && name != "--help" && name != "--timeout" && name != "--quiet") compare->excludes(other);
  }
  for (const char* const request : {"--force", "--initial"}) {
    for (const char* const other : {"--check", "--exhaustive", "--random", "--all"}) {
      command.get_option(request)->excludes(command.get_option(other));
    }
  }
}

}  // namespace

Command add_futures(CLI::App& app, const CommandLine& line) {
  CLI::App* const command = app.add_subcommand("futures", "list the writes each shared read can see, and run each");
  set_usage(*command, "ravel futures [options] -- PROGRAM [ARGUMENTS]");
  command->footer(
      "Examples:\n"
      "  ravel futures -- ./prog                                   the table: reads, writes, what came of each\n"
      "  ravel futures --force \"t3.cpp:21 <- t1.cpp:8\" -- ./prog   one execution in which that read sees that write\n"
      "  ravel futures --initial \"t3.cpp:21 n #2 T2\" -- ./prog     T2's second read of n there sees the first value\n"
      "  ravel futures --check before.json -- ./fixed              have the futures that failed gone?\n"
      "  ravel futures --compare .ravel/futures/2.ravel .ravel/futures/1.ravel     why does one fail and not the "
      "other?\n"
      "Exit codes: 0 everything passed, 1 something was found, 2 usage or environment, 3 internal error, 4 what "
      "--force\n"
      "asks for is infeasible.");
  auto options = std::make_shared<FutureCommandOptions>();
  command->add_option("--force", options->force, "a read and the write that it is to see; may be given several times")
      ->option_text("\"READ <- WRITE\"")
      ->expected(1)
      ->take_all();
  command->add_option("--initial", options->initial, "a read that is to see the value before the threads")
      ->option_text("READ")
      ->expected(1)
      ->take_all();
  command->add_flag("--occurrences", options->search.occurrences, "a row for each task and occurrence of a read");
  command->add_option("--check", options->check, "have the futures of this table (--json) that failed gone?")
      ->option_text("FILE");
  command
      ->add_option("--compare", options->compare,
                   "two schedules of a table: which reads saw another write, and what decides")
      ->option_text("FAILING PASSING")
      ->expected(2);
  command
      ->add_option("--terms", options->terms,
                   "ask for these only: what `ravel analyze --futures --json` found in the sources")
      ->option_text("FILE");
  command->add_option("--graph", options->graph, "who saw what in the execution, for Graphviz; as JSON if so named")
      ->option_text("FILE");
  command->add_option("--executions", options->pool.executions, "at most, to learn and to force [500]")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, kMostExecutions));
  command
      ->add_option("--proof", options->search.proof,
                   "at most so many executions of an exhaustive search that proves the rest impossible [5000]; 0: none")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{0}, kMostExecutions));
  command
      ->add_option("--random", options->search.random,
                   "at most so many executions at random where there is no such proof [500]; 0: none")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{0}, kMostExecutions));
  command->add_flag("--exhaustive", options->search.exhaustive,
                    "explore every schedule instead of making an execution for each: slow, for comparison");
  add_duration_option(*command, "--time", options->time, "at most [60s]");
  command->add_option("--memory-model", options->memory_model, "what atomics may show [c11]")
      ->option_text("sc|c11")
      ->check(CLI::IsMember({"sc", "c11"}));
  add_carrier_option(*command, options->carrier);
  add_timeout_option(*command, options->timeout);
  command->add_flag("--races", options->races, "report data races, too");
  command->add_flag("--all", options->all, "list reads that showed one write only and the inside of libraries, too");
  command->add_option("--out", options->pool.out, "directory for schedules [.ravel]")->option_text("DIR");
  command->add_option("--json", options->json, "write the table to this file; - is standard output")
      ->option_text("FILE");
  command->add_flag("--quiet", options->quiet, "print what was asked for only");
  refuse_without_effect(*command);
  return [options, &line] {
    Console console({options->quiet, true, options->json == "-"});
    const Result<int> code = perform(*options, line, console);
    if (code.is_ok()) return code.value();
    console.trouble(code.status());
    return static_cast<int>(kTrouble);
  };
}

}  // namespace ravel
