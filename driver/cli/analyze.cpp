// SPDX-License-Identifier: Apache-2.0
// `ravel analyze`: what the sources alone show. With --futures: for every read of a shared variable, the writes that it
// can see.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/analyze/static_futures.h"
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
  std::string compile_commands;
  std::vector<std::string> files;
  OutputOptions output;
};

Result<int> analyze(const AnalyzeOptions& options, const CommandLine& line) {
  Console console(options.output);
  if (!options.futures) {
    return Status::trouble("nothing is asked for", "example: ravel analyze --futures a.cpp b.cpp -- -std=c++20");
  }
  const auto sources = find_named_sources(options.compile_commands, options.files, line.program);
  if (!sources.is_ok()) return sources.status();
  const auto analyzer = find_analyzer();
  if (!analyzer.is_ok()) return analyzer.status();
  const auto futures = find_static_futures(sources.value(), analyzer.value());
  if (!futures.is_ok()) return futures.status();
  if (const std::string& json = options.output.json; !json.empty()) {
    if (Status status = write_report(futures.value().json(), json); !status.is_ok()) return status;
    if (json == "-") return kNothingFound;
  }
  console.print(futures.value().text(options.pruned));
  std::size_t concurrent = 0;
  for (const StaticRead& read : futures.value().reads) {
    for (const StaticDefinition& definition : read.definitions) {
      if (!definition.concurrent) continue;
      ++concurrent;
      break;
    }
  }
  console.inform(fmt::format("{} of shared variables, {} with writes of threads that run at the same time; {}\n",
                             counted(futures.value().reads.size(), "read"), concurrent,
                             counted(futures.value().threads.size(), "kind") + " of threads"));
  return kNothingFound;
}

}  // namespace

Command define_analyze(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<AnalyzeOptions>();
  options.usage("ravel analyze --futures [options] [FILES] [-- COMPILER OPTIONS]");
  options.list("FILES", chosen->files, "the sources; without compile commands, compiled as c++ would");
  options.flag("--futures", chosen->futures, "list the writes that each read of a shared variable can see");
  options.flag("--pruned", chosen->pruned, "also list the writes that cannot be seen, with the reason");
  define_compile_commands(options, chosen->compile_commands).or_else("compile_commands.json unless FILES are given");
  define_json(options, chosen->output.json);
  define_quiet(options, chosen->output.quiet, "the reads");
  options.notes(
      "All files are one program. What is printed:\n"
      "  n at t3.cpp:21 = π(t1.cpp:8, t2.cpp:15)   it sees one of these writes; the threads decide which\n"
      "  n at t3.cpp:21 = φ(t3.cpp:5, t3.cpp:9)    the path through its own thread decides\n"
      "Every write that an execution can show is listed; some of those listed may be impossible.\n\n"
      "Exit codes: 0 listed, 2 usage or environment.");
  return [chosen, &line] { return analyze(*chosen, line); };
}

}  // namespace ravel
