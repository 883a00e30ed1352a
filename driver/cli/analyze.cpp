// SPDX-License-Identifier: Apache-2.0
// `ravel analyze`: what the sources alone show. With --futures: for every read of a shared variable, the writes that it
// can see. With --pairs: the functions that access common variables.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/analyze/static_futures.h"
#include "driver/analyze/static_pairs.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/shared_options.h"
#include "driver/sources/analyzer.h"
#include "driver/sources/named_sources.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

struct AnalyzeOptions {
  bool futures = false;
  bool pruned = false;
  bool pairs = false;
  bool weak = false;
  std::string compile_commands;
  std::vector<std::string> files;
  OutputOptions output;
};

// The JSON, if it was asked for. True: it is all that goes to standard output.
Result<bool> write_json(const OutputOptions& output, const std::string& json) {
  if (output.json.empty()) return false;
  if (Status status = write_report(json, output.json); !status.is_ok()) return status;
  return output.json == "-";
}

Result<int> list_futures(const AnalyzeOptions& options, const StaticFutures& futures, Console& console) {
  const auto written = write_json(options.output, futures.json());
  if (!written.is_ok()) return written.status();
  if (written.value()) return kNothingFound;
  console.print(futures.text(options.pruned));
  std::size_t concurrent = 0;
  for (const StaticRead& read : futures.reads) {
    for (const StaticDefinition& definition : read.definitions) {
      if (!definition.concurrent) continue;
      ++concurrent;
      break;
    }
  }
  console.inform(fmt::format("{} of shared variables, {} with writes of threads that run at the same time; {}\n",
                             counted(futures.reads.size(), "read"), concurrent,
                             counted(futures.threads.size(), "kind") + " of threads"));
  return kNothingFound;
}

Result<int> list_pairs(const AnalyzeOptions& options, const StaticPairs& pairs, Console& console) {
  const auto written = write_json(options.output, pairs.json());
  if (!written.is_ok()) return written.status();
  if (written.value()) return kNothingFound;
  console.print(pairs.text(options.weak));
  const std::size_t functions = pairs.functions.size();
  console.inform(fmt::format("{} that access shared variables; of {}, {} strongly dependent and {} weakly\n",
                             counted(functions, "function"), counted(functions * (functions + 1) / 2, "pair"),
                             pairs.count(true), pairs.count(false)));
  return kNothingFound;
}

Result<int> analyze(const AnalyzeOptions& options, const CommandLine& line) {
  Console console(options.output);
  if (options.futures == options.pairs) {
    return Status::trouble(options.futures ? "--futures and --pairs are two questions" : "nothing is asked for",
                           "example: ravel analyze --futures a.cpp b.cpp -- -std=c++20");
  }
  const auto sources = find_named_sources(options.compile_commands, options.files, line.program);
  if (!sources.is_ok()) return sources.status();
  const auto analyzer = find_analyzer();
  if (!analyzer.is_ok()) return analyzer.status();
  if (options.pairs) {
    const auto pairs = find_static_pairs(sources.value(), analyzer.value());
    return pairs.is_ok() ? list_pairs(options, pairs.value(), console) : pairs.status();
  }
  const auto futures = find_static_futures(sources.value(), analyzer.value());
  return futures.is_ok() ? list_futures(options, futures.value(), console) : futures.status();
}

}  // namespace

Command define_analyze(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<AnalyzeOptions>();
  options.usage("ravel analyze --futures|--pairs [options] [FILES] [-- COMPILER OPTIONS]");
  options.list("FILES", chosen->files, "the sources; without compile commands, compiled as c++ would");
  options.flag("--futures", chosen->futures, "list the writes that each read of a shared variable can see");
  options.flag("--pruned", chosen->pruned, "also list the writes that cannot be seen, with the reason");
  options.flag("--pairs", chosen->pairs, "list the functions that access common variables, two by two");
  options.flag("--weak", chosen->weak, "with --pairs: also list those that only read what they have in common");
  define_compile_commands(options, chosen->compile_commands).or_else("compile_commands.json unless FILES are given");
  define_json(options, chosen->output.json);
  define_quiet(options, chosen->output.quiet, "the list");
  options.exclude("--futures", {"--weak"});
  options.exclude("--pairs", {"--pruned"});
  options.notes(
      "All files are one program. What is printed:\n"
      "  n at t3.cpp:21 = π(t1.cpp:8, t2.cpp:15)   it sees one of these writes; the threads decide which\n"
      "  n at t3.cpp:21 = φ(t3.cpp:5, t3.cpp:9)    the path through its own thread decides\n"
      "Every write that an execution can show is listed; some of those listed may be impossible.\n"
      "  strong  deposit | withdraw  on Account::balance_   one of the two writes it; (locked): only under\n"
      "                                                     a common lock, or only by atomic accesses\n"
      "A field is one variable for all objects of its class, a container is one with all it contains.\n\n"
      "Exit codes: 0 listed, 2 usage or environment.");
  return [chosen, &line] { return analyze(*chosen, line); };
}

}  // namespace ravel
