// SPDX-License-Identifier: Apache-2.0
// `ravel futures`: which writes each shared read can see, an execution for each, and executions with chosen ones.
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/report_files.h"
#include "driver/cli/shared_options.h"
#include "driver/futures/future_comparison.h"
#include "driver/futures/future_report.h"
#include "driver/futures/future_search.h"
#include "driver/futures/request_search.h"
#include "driver/replay/replay.h"
#include "driver/target/program_file.h"
#include "reports/json_report.h"
#include "reports/text_report.h"
#include "trace/schedule_reader.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostExecutions = 1'000'000;
constexpr int kInfeasible = 4;  // --force: the request cannot be met

struct FutureCommandOptions {
  PoolOptions pool;  // the program's part is filled in after inspecting it
  FutureOptions search;
  std::vector<std::string> compare;  // two schedules
  std::vector<std::string> force;
  std::vector<std::string> initial;
  std::string check;
  std::string terms;
  std::string graph;
  bool all = false;
  OutputOptions output;
};

Status write_graph(const FutureCommandOptions& options, const ObservedExecution& seen) {
  if (options.graph.empty()) return Status::ok();
  return write_report(graph_of_execution(seen, options.graph.ends_with(".json")), options.graph);
}

Result<std::vector<FutureChoice>> choices_of(const FutureCommandOptions& options) {
  std::vector<FutureChoice> choices;
  for (const auto& [texts, parse] : {std::pair{&options.force, &parse_choice}, {&options.initial, &parse_initial}}) {
    for (const std::string& text : *texts) {
      auto choice = parse(text);
      if (!choice.is_ok()) return choice.status();
      choices.push_back(std::move(choice.value()));
    }
  }
  return choices;
}

// Step by step, from the schedule that was saved of it.
std::optional<Explanation> explained(const std::string& path, const TargetSettings& target) {
  auto schedule = read_schedule(path);
  if (!schedule.is_ok()) return std::nullopt;
  TargetSettings settings = target;
  settings.launch = schedule.value().launch;
  Replay replay(std::move(schedule.value()), settings, path);
  const auto shrunk = replay.shrink({}, false);
  if (!shrunk.is_ok() || !shrunk.value()) return std::nullopt;
  return replay.explain(*shrunk.value());
}

// The findings of the executions that were kept, each once.
CommandResult result_of(const FutureCommandOptions& options, const ExecutionPool& pool, const CommandLine& line,
                        const ReportFiles& reports) {
  CommandResult result;
  result.command = "futures";
  result.program = line.program;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < pool.kept().size(); ++i) {
    const PerformedExecution& performed = pool.kept()[i];
    for (const ResolvedFinding& finding : performed.findings) {
      if (!seen.insert(finding.signature).second) continue;
      ReportedFinding& entry = result.findings.emplace_back(reported(finding, performed.record));
      entry.id = static_cast<std::uint32_t>(result.findings.size());
      entry.first_execution = i + 1;
      entry.schedule_path = pool.schedule(i);
      const bool is_the_schedules = &finding == &performed.findings.front() && !entry.schedule_path.empty();
      if (is_the_schedules && reports.show_steps()) {
        entry.explanation = explained(entry.schedule_path, options.pool.target);
      }
    }
  }
  result.verdict =
      fmt::format("{} in {}", counted(result.findings.size(), "finding"), counted(pool.kept().size(), "execution"));
  return result;
}

Result<int> force(const FutureCommandOptions& options, const std::vector<FutureChoice>& choices, ExecutionPool& pool,
                  const CommandLine& line, Console& console, const ReportFiles& reports) {
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
  const auto json = [&] {
    // What these executions have shown, with the answer to the request.
    FutureTable table = FutureSearch(pool, options.search).table();
    table.request = FutureRequest{{}, result.status, result.reason, schedule};
    for (const FutureChoice& choice : choices) table.request->choices.push_back(choice.text);
    return json_of_futures(table, line.program);
  };
  const auto told = [&] { return result_of(options, pool, line, reports); };
  return reports.write(console, told, json) ? code : static_cast<int>(kTrouble);
}

Result<int> explore(const FutureCommandOptions& options, ExecutionPool& pool, const CommandLine& line, Console& console,
                    const ReportFiles& reports) {
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
  const bool written = reports.write(
      console, [&] { return result_of(options, pool, line, reports); },
      [&] { return json_of_futures(table, line.program); });
  if (!written) return static_cast<int>(kTrouble);
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
  if (first != executions.end()) return kFound;
  return table.interrupted ? kTrouble : kNothingFound;
}

// Two schedules of `ravel futures`, of one program: how do their executions differ?
Result<int> compare(const FutureCommandOptions& options, const CommandLine& line, Console& console) {
  if (!line.program.empty()) {
    return Status::trouble("--compare needs no program: the schedules name it", "leave out what comes after --");
  }
  std::vector<OpenedSchedule> opened;
  std::vector<std::string> paths;
  // Before the directory changes.
  for (const std::string& path : options.compare) paths.push_back(std::filesystem::absolute(path).string());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    auto one = open_schedule(paths[i], options.pool.target.timeout, console);
    if (!one.is_ok()) return one.status();
    if (one.value().schedule.launch.points != PointLevel::all || one.value().schedule.plan.short_sleeps == 0) {
      return Status::trouble(fmt::format("{} was not written by `ravel futures`", options.compare[i]),
                             "name two files that its table names; `ravel explain` explains a single schedule");
    }
    opened.push_back(std::move(one.value()));
  }
  if (opened[0].settings.executable != opened[1].settings.executable ||
      opened[0].schedule.program != opened[1].schedule.program) {
    return Status::trouble(fmt::format("{} and {} are not of the same program", options.compare[0], options.compare[1]),
                           "name two files of the same table");
  }
  if (!opened[0].schedule.finding || opened[1].schedule.finding) {
    return Status::trouble(fmt::format("{} {}", options.compare[opened[0].schedule.finding ? 1 : 0],
                                       opened[0].schedule.finding ? "has a finding" : "has no finding"),
                           "name first a future that fails, then one that passes");
  }
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(opened[0].settings, input); !status.is_ok()) return status;
  const auto compared = compare_futures(opened[0].schedule, opened[1].schedule, opened[0].settings);
  if (!compared.is_ok()) return compared.status();
  console.print(text_of_comparison(compared.value(), options.compare[0], options.compare[1]));
  return kFound;
}

Result<int> perform(FutureCommandOptions& options, const CommandLine& line) {
  Console console(options.output);
  const ReportFiles reports(options.output);
  if (!options.compare.empty()) return compare(options, line, console);
  TargetSettings& target = options.pool.target;
  const auto program = open_program(line.program, target);
  if (!program.is_ok()) return program.status();
  const auto choices = choices_of(options);
  if (!choices.is_ok()) return choices.status();
  if (!options.terms.empty()) {
    auto terms = FutureTerms::load(options.terms);
    if (!terms.is_ok()) return terms.status();
    options.search.terms = std::move(terms.value());
  }
  if (program.value().level != BuildLevel::tsan_shared) {
    return Status::trouble(fmt::format("{} was not built so that its memory accesses can be seen", line.program[0]),
                           "build it with `ravel c++` instead of the compiler, with -g");
  }
  StandardInput input = StandardInput::none();
  if (Status status = take_terminal(target, input); !status.is_ok()) return status;
  options.pool.progress = [&console](std::uint64_t executions) {
    if (console.wants_progress()) console.progress(counted(executions, "execution"));
  };
  ExecutionPool pool(options.pool);
  return choices.value().empty() ? explore(options, pool, line, console, reports)
                                 : force(options, choices.value(), pool, line, console, reports);
}

}  // namespace

Command define_futures(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<FutureCommandOptions>();
  PoolOptions& pool = chosen->pool;
  FutureOptions& search = chosen->search;
  pool.target.launch.races = 0;
  options.usage("ravel futures [options] -- PROGRAM [ARGUMENTS]");
  options.takes_program();

  options.heading("What to ask for");
  options.list("--force \"READ <- WRITE\"", chosen->force,
               "run the program so that this read sees this write; may be given several times");
  options.list("--initial READ", chosen->initial,
               "run it so that this read sees the initial value, from before the threads; may be given several times");
  options.text("--check FILE", chosen->check, "check whether the futures that failed in this table (--json) are gone");
  options.list("--compare FAILING PASSING", chosen->compare,
               "compare two schedules of a table: which reads saw another write, and which of them decide", 2);
  options.text("--terms FILE", chosen->terms,
               "ask only for what `ravel analyze --futures --json` found in the sources");
  options.flag("--occurrences", search.occurrences, "a row for each task and occurrence of a read");
  options.flag("--races", pool.target.launch.races, "report data races too");

  options.heading("Search");
  options.number("--executions N", pool.executions, "at most this many executions to explore and force futures", 1,
                 kMostExecutions);
  options.number("--proof N", search.proof,
                 "at most this many of an exhaustive search that proves the rest impossible; 0 for none", 0,
                 kMostExecutions);
  options.number("--random N", search.random, "at most this many at random where there is no such proof; 0 for none", 0,
                 kMostExecutions);
  options.flag("--exhaustive", search.exhaustive,
               "explore every schedule instead of one execution for each future: slow, for comparison");
  options.duration("--time TIME", pool.time, "time limit of the search");
  define_memory_model(options, pool.target.launch.memory_model);
  define_carrier(options, pool.target.launch.carrier);
  define_files(options, pool.target.launch.files);
  define_timeout(options, pool.target.timeout);

  options.heading("Output");
  options.flag("--all", chosen->all, "also list reads that saw only one write, and reads inside libraries");
  options.report("--graph FILE", chosen->graph,
                 "who saw what in the execution, for Graphviz; as JSON if FILE ends with .json");
  define_out(options, pool.out);
  define_reports(options, chosen->output);
  define_quiet(options, chosen->output.quiet, "what was asked for");

  // Options that would have no effect together.
  options.exclude_all_but("--compare", {"--timeout", "--quiet"});
  for (const char* const request : {"--force", "--initial"}) {
    options.exclude(request, {"--check", "--exhaustive", "--random", "--all"});
  }
  options.notes(
      "Examples:\n"
      "  ravel futures -- ./prog                                  the table: reads, writes, outcomes\n"
      "  ravel futures --force \"t3.cpp:21 <- t1.cpp:8\" -- ./prog  that read sees that write\n"
      "  ravel futures --initial \"t3.cpp:21 n #2 T2\" -- ./prog    T2's second read sees the first value\n"
      "  ravel futures --check before.json -- ./fixed             are the futures that failed gone?\n"
      "  ravel futures --compare .ravel/futures/2.ravel .ravel/futures/1.ravel   why does one fail?\n\n"
      "Exit codes: 0 everything passed, 1 something was found, 2 usage or environment, 3 internal error,\n"
      "4 what --force asks for is infeasible.");
  return [chosen, &line] { return perform(*chosen, line); };
}

}  // namespace ravel
