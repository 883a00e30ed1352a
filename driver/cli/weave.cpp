// SPDX-License-Identifier: Apache-2.0
// `ravel weave`: puts the actions of race tests into a copy of the sources, or finds out from a build how they are
// compiled.
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/shared_options.h"
#include "driver/race_tests/race_file.h"
#include "driver/race_tests/weaving.h"
#include "driver/sources/analyzer.h"
#include "driver/sources/build_capture.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct WeaveCommandOptions {
  std::string tests;
  std::string compile_commands = "compile_commands.json";
  std::string target;
  std::string capture;
  std::string out;
  std::string prefix = WeaveOptions{}.prefix;
  OutputOptions output;
};

Status capture(const WeaveCommandOptions& options, const CommandLine& line, Console& console) {
  if (line.program.empty()) {
    return Status::trouble("no build is given", "example: ravel weave --capture compile_commands.json -- make");
  }
  std::error_code error;
  const auto commands = capture_build(line.program, fs::read_symlink("/proc/self/exe", error).string());
  if (!commands.is_ok()) return commands.status();
  std::ofstream file(options.capture, std::ios::binary);
  file << commands.value().json();
  if (!file.flush()) return Status::trouble(fmt::format("cannot write {}", options.capture), "name another file");
  console.inform(fmt::format("{} in {}\n", counted(commands.value().all().size(), "compilation"), options.capture));
  return Status::ok();
}

Status weave_tests(const WeaveCommandOptions& options, const CommandLine& line, Console& console) {
  if (!line.program.empty()) {
    return Status::trouble(fmt::format("'{}' comes after --, which is only for a build to watch", line.program[0]),
                           "add --capture FILE, or leave it out");
  }
  if (options.tests.empty() || options.out.empty()) {
    return Status::trouble("weaving needs --tests DIR and --out DIR",
                           "example: ravel weave --tests tests/races --compile-commands build/compile_commands.json "
                           "--out build/woven");
  }
  const auto analyzer = find_analyzer();
  if (!analyzer.is_ok()) return analyzer.status();
  const auto headers = find_headers();
  if (!headers.is_ok()) return headers.status();
  const auto tests = read_race_tests(options.tests);
  if (!tests.is_ok()) return tests.status();
  const auto commands = CompileCommands::read(options.compile_commands, options.target);
  if (!commands.is_ok()) return commands.status();
  WeaveOptions weaving;
  weaving.out = fs::absolute(options.out).lexically_normal();
  weaving.prefix = options.prefix;
  weaving.analyzer = analyzer.value();
  weaving.include = headers.value();
  const auto woven = weave(tests.value(), commands.value(), weaving);
  if (!woven.is_ok()) return woven.status();
  for (const WovenAction& action : woven.value().actions) {
    console.inform(
        fmt::format("{}: {}:{} in {}\n", action.origin, action.file.filename().string(), action.line, action.function));
  }
  console.inform(fmt::format("{} with {}, {} in {}\n", counted(tests.value().size(), "test"),
                             counted(woven.value().actions.size(), "action"),
                             counted(woven.value().sources.size(), "file"), options.out));
  return Status::ok();
}

}  // namespace

Command define_weave(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<WeaveCommandOptions>();
  options.usage(
      "ravel weave [options] --tests DIR --out DIR\n"
      "       ravel weave --capture FILE -- BUILD COMMAND");
  options.text("--tests DIR", chosen->tests, "directory of race tests, each a directory with a race.txt");
  options.text("--out DIR", chosen->out, "directory for the copies");
  define_compile_commands(options, chosen->compile_commands);
  options.text("--target NAME", chosen->target, "weave only what this target of a CMake build compiles")
      .or_else("everything that is compiled");
  options.text("--prefix TEXT", chosen->prefix, "the start of comments that mark points");
  options.text("--capture FILE", chosen->capture,
               "instead of weaving: run the build after --, and write how it compiles to this file");
  define_quiet(options, chosen->output.quiet, "errors");
  options.exclude("--capture", {"--tests"});
  options.notes(
      "Compile the copies as OUT/compile_commands.json says, with `ravel c++` or any compiler, and link\n"
      "libravel_sync.a. RAVEL_RACE_TEST in the environment of the program selects the test to perform:\n"
      "  RAVEL_RACE_TEST=list_add ravel run --expect data-race -- ./woven_tests\n"
      "The sources themselves are never changed.\n\n"
      "Exit codes: 0 woven, 2 usage or environment.");
  return [chosen, &line]() -> Result<int> {
    Console console(chosen->output);
    Status status = chosen->capture.empty() ? weave_tests(*chosen, line, console) : capture(*chosen, line, console);
    if (!status.is_ok()) return status;
    return kNothingFound;
  };
}

}  // namespace ravel
