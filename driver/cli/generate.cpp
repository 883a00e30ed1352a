// SPDX-License-Identifier: Apache-2.0
// `ravel generate`: finds the calls of a program that can run at the same time, and explores those where they stand.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "driver/cli/campaign_printer.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/report_files.h"
#include "driver/cli/run_options.h"
#include "driver/cli/shared_options.h"
#include "driver/generate/generate_report.h"
#include "driver/target/program_file.h"

namespace ravel {
namespace {

struct GenerateCommandOptions : RunOptions {
  bool in_place = false;
  InPlaceOptions search;
  OutputOptions output;
};

Result<int> generate(GenerateCommandOptions& options, const CommandLine& line) {
  Console console(options.output);
  const ReportFiles reports(options.output);
  if (!options.in_place) {
    return Status::trouble("nothing is asked for", "example: ravel generate --in-place -- ./prog");
  }
  CampaignOptions& campaign = options.campaign;
  TargetSettings looked;
  const auto program = open_program(line.program, looked);
  if (!program.is_ok()) return program.status();
  if (program.value().level != BuildLevel::tsan_shared) {
    return Status::trouble(
        fmt::format("{} was not built so that its calls and memory accesses can be seen", line.program[0]),
        "build it with `ravel c++` instead of the compiler, with -g and without -O");
  }
  StandardInput input = StandardInput::none();
  if (Status status = prepare_campaign(options, line.program, input); !status.is_ok()) return status;
  options.search.seed = campaign.seed;

  CampaignPrinter printer(console);
  auto explored = explore_in_place(campaign, options.search, printer);
  printer.print_the_rest();
  console.clear_progress();
  if (!explored.is_ok()) return explored.status();
  Generation& generation = explored.value();
  CampaignEnd& end = generation.end;
  if (!input.warning().empty()) end.result.notes.push_back(input.warning());
  const bool interrupted = campaign.target.deadline.interrupted();
  if (interrupted) end.result.notes.push_back("the search was interrupted");
  console.inform((printer.has_printed() ? "\n" : "") + text_of_notes(printer.without_printed_notes(end.result)) +
                 table_of_pairs(generation));
  int code = end.result.findings.empty() ? kNothingFound : kFound;
  if (code == kNothingFound && (!end.trouble.is_ok() || interrupted || !end.result.has_verdict())) code = kTrouble;
  const bool written = reports.write(
      console, [&] { return result_of_generation(generation); }, [&] { return json_of_generation(generation); });
  if (!written) code = kTrouble;
  if (!end.trouble.is_ok()) console.trouble(end.trouble);
  if (!end.internal_error.empty()) {
    console.internal_error(end.internal_error, end.internal_schedule);
    code = kInternalError;
  }
  return code;
}

}  // namespace

Command define_generate(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<GenerateCommandOptions>();
  CampaignOptions& campaign = chosen->campaign;
  options.usage("ravel generate --in-place [options] -- PROGRAM [ARGUMENTS]");
  options.takes_program();
  options.flag("--in-place", chosen->in_place,
               "bring the program to each pair of calls that can run at the same time, and explore their orders there");

  options.heading("Search");
  options.number("--recordings N", chosen->search.recordings,
                 "look for such pairs in this many executions in different orders", 1, 10'000);
  options.number("--per-pair N", chosen->search.executions_of_a_pair, "at most this many executions for two calls", 1);
  options.number("--executions N", chosen->executions, "stop after this many executions", 1)
      .or_else(fmt::format("{}, or no limit with --time", campaign.executions));
  define_time(options, chosen->time);
  define_seed(options, campaign.seed, "the recordings and of the program's random numbers");
  define_ok_exit(options, campaign.target.ok_exits);

  options.heading("Execution");
  define_memory_model(options, campaign.target.launch.memory_model);
  define_files(options, campaign.target.launch.files);
  define_timeout(options, campaign.target.timeout);
  options.number("--max-steps N", campaign.target.launch.max_steps, "cut an execution off after this many steps", 1);

  options.heading("Output");
  define_out(options, campaign.out);
  define_reports(options, chosen->output);
  define_quiet(options, chosen->output.quiet, "findings");
  define_color(options, chosen->output.color);
  options.notes(
      "Two calls are explored if different threads make them, nothing orders them, and they touch the same\n"
      "memory or lock. One thread is brought to the one call and another to the other; all others are held,\n"
      "and every order of the two calls is tried from there. Schedules are of the whole program: ravel\n"
      "replay runs them again.\n\n"
      "Examples:\n"
      "  ravel generate --in-place -- ./bank             the pairs, and what is found in each\n"
      "  ravel generate --in-place --time 5m -- ./bank   for five minutes at most\n\n"
      "Exit codes: 0 nothing found, 1 findings, 2 usage or environment, 3 internal error.");
  return [chosen, &line] { return generate(*chosen, line); };
}

}  // namespace ravel
