// SPDX-License-Identifier: Apache-2.0
// `ravel analyze`: what the sources alone tell. With --futures: for every read of a shared variable, the writes that it
// can see.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/analyze/static_futures.h"
#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/shared_options.h"
#include "driver/race_tests/weaving.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct AnalyzeOptions {
  bool futures = false;
  bool pruned = false;
  std::string compile_commands;
  std::vector<std::string> files;
  OutputOptions output;
};

// How the sources are compiled: as the list says, or as `c++` would with the options after "--".
Result<std::vector<CompileCommand>> find_sources(const AnalyzeOptions& options, const CommandLine& line) {
  std::vector<CompileCommand> sources;
  if (options.compile_commands.empty() && !options.files.empty()) {
    const fs::path here = fs::current_path();
    for (const std::string& file : options.files) {
      if (!fs::is_regular_file(file)) {
        return Status::trouble(fmt::format("there is no file {}", file), "name the sources of one program");
      }
      CompileCommand command;
      command.directory = here;
      command.file = (here / file).lexically_normal();
      command.arguments = {command.file.extension() == ".c" ? "cc" : "c++"};
      command.arguments.insert(command.arguments.end(), line.program.begin(), line.program.end());
      command.arguments.insert(command.arguments.end(), {"-c", command.file.string()});
      sources.push_back(std::move(command));
    }
    return sources;
  }
  if (!line.program.empty()) {
    return Status::trouble(
        fmt::format("'{}' stands after --, where options for files without compile commands belong", line.program[0]),
        "leave it out, or --compile-commands");
  }
  const std::string path = options.compile_commands.empty() ? "compile_commands.json" : options.compile_commands;
  const auto commands = CompileCommands::read(path);
  if (!commands.is_ok()) return commands.status();
  if (options.files.empty()) {
    for (const CompileCommand& command : commands.value().all()) {
      const bool known = std::any_of(sources.begin(), sources.end(),
                                     [&](const CompileCommand& other) { return other.file == command.file; });
      if (!known) sources.push_back(command);
    }
    if (sources.empty()) return Status::trouble(fmt::format("{} lists no source", path), "name another one");
    return sources;
  }
  for (const std::string& file : options.files) {
    std::error_code error;
    const fs::path whole = fs::absolute(file, error).lexically_normal();
    auto found = commands.value().ending_with(whole.string());
    if (found.empty()) found = commands.value().ending_with(file);
    if (found.size() != 1) {
      return Status::trouble(fmt::format("{} has {} sources {}", path, found.empty() ? "no" : "several", file),
                             "name a source of the list, with as much of its path as tells it apart");
    }
    sources.push_back(*found[0]);
  }
  return sources;
}

Result<int> analyze(const AnalyzeOptions& options, const CommandLine& line) {
  Console console(options.output);
  if (!options.futures) {
    return Status::trouble("nothing is asked for", "example: ravel analyze --futures a.cpp b.cpp -- -std=c++20");
  }
  const auto sources = find_sources(options, line);
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
  options.list("FILES", chosen->files, "the sources; without compile commands they are compiled as by c++");
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
