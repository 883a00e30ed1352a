// SPDX-License-Identifier: Apache-2.0
// `ravel reproduce`: from a crash stack to a test that fails the same way, and its schedule.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "driver/cli/commands.h"
#include "driver/cli/console.h"
#include "driver/cli/open_schedule.h"
#include "driver/cli/pin_schedule.h"
#include "driver/cli/shared_options.h"
#include "driver/pin/pin_files.h"
#include "driver/reproduce/class_options.h"
#include "driver/reproduce/reproduce_report.h"
#include "driver/reproduce/reproduction.h"
#include "driver/sources/analyzer.h"
#include "driver/target/program_file.h"
#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

struct ReproduceCommandOptions {
  ReproduceOptions reproduce;
  std::vector<std::string> headers;
  std::vector<std::string> sources;
  std::string compile_commands;
  std::string values;
  std::vector<std::string> without;
  std::string out = ".ravel/reproduced";
  std::string pin;  // directory of race tests; empty: none is written
  std::chrono::nanoseconds time = std::chrono::minutes(5);
  OutputOptions output;
};

Status check_files(const std::vector<std::string>& files, const char* option) {
  for (const std::string& file : files) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) continue;
    return Status::trouble(fmt::format("there is no file {}", file), fmt::format("check the name after {}", option));
  }
  return Status::ok();
}

std::vector<std::string> absolute(const std::vector<std::string>& files) {
  std::vector<std::string> result;
  result.reserve(files.size());
  for (const std::string& file : files) result.push_back(fs::absolute(file).lexically_normal().string());
  return result;
}

// A header that is below the current directory is included as the user names it, another one by its name alone.
void take_includes(const std::vector<std::string>& headers, BuildPlan& build) {
  for (const std::string& header : headers) {
    const fs::path path = fs::path(header).lexically_normal();
    const bool below = path.is_relative() && *path.begin() != "..";
    build.included.push_back(below ? path.string() : path.filename().string());
    const std::string folder = below ? "." : path.parent_path().string();
    if (std::find(build.folders.begin(), build.folders.end(), folder) == build.folders.end()) {
      build.folders.push_back(folder);
    }
  }
}

Status take_prunings(const std::vector<std::string>& names, std::set<Pruning>& without, bool& sorted) {
  for (const std::string& name : names) {
    if (name == "order") {
      sorted = false;
      continue;
    }
    const auto pruning = pruning_from_name(name);
    if (!pruning) {
      return Status::trouble(fmt::format("there is no pruning '{}'", name), "ravel reproduce --help lists them");
    }
    without.insert(*pruning);
  }
  return Status::ok();
}

Status prepare(ReproduceCommandOptions& options, const CommandLine& line) {
  ReproduceOptions& wanted = options.reproduce;
  const CrashSource& crash = wanted.crash;
  if (crash.stack.empty() == crash.core.empty()) {
    return Status::trouble("give the crash: --stack FILE or --core FILE",
                           "example: ravel reproduce --stack crash.txt --header logger.h --source logger.cpp");
  }
  if (options.headers.empty()) {
    return Status::trouble("give the header of the class: --header FILE",
                           "example: ravel reproduce --stack crash.txt --header logger.h --source logger.cpp");
  }
  if (!wanted.handle.empty() && !wanted.wish.class_name.empty()) {
    return Status::trouble("--handle and --class exclude each other", "a C library has a handle, C++ has a class");
  }
  if (Status status = check_files(options.headers, "--header"); !status.is_ok()) return status;
  if (Status status = check_files(options.sources, "--source"); !status.is_ok()) return status;
  if (Status status = take_prunings(options.without, wanted.without, wanted.sorted); !status.is_ok()) return status;
  if (!options.values.empty()) {
    auto values = read_values(options.values);
    if (!values.is_ok()) return values.status();
    wanted.values = std::move(values.value());
  }
  const auto analyzer = find_analyzer();
  if (!analyzer.is_ok()) return analyzer.status();
  wanted.analyzer = analyzer.value();
  const auto runtime = find_runtime();
  if (!runtime.is_ok()) return runtime.status();
  wanted.recorder = (fs::path(runtime.value()).parent_path() / "libravel_calls.so").string();
  BuildPlan& build = wanted.build;
  std::error_code error;
  build.ravel = fs::read_symlink("/proc/self/exe", error).string();
  build.headers = absolute(options.headers);
  build.sources = absolute(options.sources);
  build.c_headers = std::any_of(build.sources.begin(), build.sources.end(),
                                [](const std::string& source) { return source.ends_with(".c"); });
  take_includes(options.headers, build);
  build.directory = fs::current_path();
  const auto known = find_compile_commands(options.compile_commands, fs::current_path(), crash.binary);
  if (!known.is_ok()) return known.status();
  if (Status status = find_class_options(line.program, known.value() ? &*known.value() : nullptr, crash.binary, build);
      !status.is_ok()) {
    return status;
  }
  wanted.shown_out = options.out;
  wanted.out = fs::absolute(options.out).lexically_normal().string();
  return Status::ok();
}

Result<int> run_reproduce(ReproduceCommandOptions& options, const CommandLine& line) {
  Console console(options.output);
  if (Status status = prepare(options, line); !status.is_ok()) return status;
  ReproduceOptions& wanted = options.reproduce;
  StandardInput input = StandardInput::none();
  TargetSettings terminal;
  if (Status status = take_terminal(terminal, input); !status.is_ok()) return status;
  wanted.input = &input;
  wanted.deadline = terminal.deadline.within(options.time);
  wanted.progress = [&](const std::string& text) { console.phase(text); };
  const auto done = reproduce(wanted);
  console.clear_progress();
  if (!done.is_ok()) return done.status();
  const Reproduction& result = done.value();
  if (const std::string& json = options.output.json; !json.empty()) {
    if (Status status = write_report(json_of_reproduction(result), json); !status.is_ok()) return status;
  }
  console.inform(result.crashing.sentence + "\n\n");
  if (result.reproduced()) {
    TextOptions text;
    text.color = console.color();
    text.width = console.width();
    console.inform(text_of_finding(*result.finding, text) + "\n");
  }
  console.print(text_of_reproduction(result));
  if (!result.cut.empty() && !wanted.deadline.interrupted()) console.inform("\n--time allows more.\n");
  if (!result.reproduced()) return kFound;
  console.inform(fmt::format("\nAgain: ravel replay {}\n", result.schedule));
  const std::string commands = (fs::path(options.out) / "compile_commands.json").string();
  const std::string later = fmt::format("ravel pin {} --compile-commands {}", result.schedule, commands);
  if (options.pin.empty()) {
    console.inform(fmt::format("As a race test: {}\n", later));
    return kNothingFound;
  }
  const auto no_time = [&] {
    console.print(fmt::format("No race test: {}. Later: {}\n", wanted.deadline.reason(), later));
    return kNothingFound;
  };
  if (wanted.deadline.has_come()) return no_time();
  PinCommandOptions pin;
  pin.time = wanted.deadline.end() - Deadline::Clock::now();
  pin.schedule = result.schedule;
  pin.tests = options.pin;
  pin.name = result.race_test_name();
  pin.compile_commands = commands;
  pin.repeats = std::min(pin.repeats, wanted.repeats);
  pin.output.quiet = options.output.quiet;
  console.inform("\n");
  const auto pinned = pin_schedule(pin, console);
  if (pinned.is_ok()) return kNothingFound;
  return wanted.deadline.has_come() ? Result<int>(no_time()) : pinned;
}

}  // namespace

Command define_reproduce(Options& options, const CommandLine& line) {
  auto chosen = std::make_shared<ReproduceCommandOptions>();
  ReproduceOptions& wanted = chosen->reproduce;
  options.usage("ravel reproduce --stack FILE --header FILE [--source FILE...] [options] [-- COMPILER OPTIONS]");
  options.takes_program();
  options.heading("Crash");
  options.text("--stack FILE", wanted.crash.stack,
               "the crash stack as text: of gdb, a sanitizer, backtrace(), a core dump service, Ravel and others");
  options.text("--core FILE", wanted.crash.core, "a core file, in place of --stack; needs --binary");
  options.text("--binary FILE", wanted.crash.binary,
               "the program that crashed: for the symbols of its frames, and how it was compiled");
  options.text("--class NAME", wanted.wish.class_name, "the class, such as 'Cache<int>'").or_else("found in the stack");
  options.text("--handle TYPE", wanted.handle,
               "no class but functions over a handle of this type, as C libraries have them: 'struct db'");
  options.text("--method NAME", wanted.wish.method, "the method whose call crashed").or_else("found in the stack");
  options.flag("--deadlock", wanted.deadlock,
               "the program hangs: reproduce the deadlock of two threads whose stacks are in the class");
  options.heading("Class");
  options.list("--header FILE", chosen->headers, "the header of the class; may be given several times");
  options.list("--source FILE", chosen->sources, "a source that the class needs; may be given several times");
  define_compile_commands(options, chosen->compile_commands)
      .or_else("compile_commands.json, or what the compiler noted in --binary");
  options.text("--values FILE", chosen->values, "values for parameters: a line 'TYPE = EXPRESSION' each");
  options.heading("Search");
  options.duration("--time TIME", chosen->time, "give up after this time");
  define_seed(options, wanted.seed, "the order in which calls and values are tried");
  options.number("--longest N", wanted.longest, "longest prefix of a test, in calls, the constructor included", 1, 16);
  options.number("--threads N", wanted.threads, "threads of a test at most; with 3, two other calls at the same time",
                 2, 3);
  options.number("--suffix N", wanted.suffix, "calls of the other thread at most, one after the other", 1, 2);
  options.number("--executions N", wanted.executions, "most schedules of one test", 2);
  options.list("--without NAME", chosen->without,
               "switch a pruning off, or the order of tests (order); may be given several times");
  define_timeout(options, wanted.timeout);
  options.heading("Output");
  define_out(options, chosen->out, "the test and its schedule");
  options.number("--repeat N", wanted.repeats, "how many times the schedule is replayed to verify it", 1, 1'000'000);
  options.flag("--gtest", wanted.googletest,
               "also write the test as a case of GoogleTest that ravel::explore explores");
  options.text("--pin DIR", chosen->pin,
               "also write a race test of it into DIR, as ravel pin does; its sources and schedule are the test's");
  define_json(options, chosen->output.json);
  define_quiet(options, chosen->output.quiet, "the result and errors");
  define_color(options, chosen->output.color);
  std::string prunings;
  for (std::size_t i = 0; i < kPrunings; ++i) {
    const auto pruning = static_cast<Pruning>(i);
    prunings += help_line(pruning_name(pruning), pruning_sentence(pruning), 18);
  }
  options.notes("A combination of calls is not explored when:\n" + prunings +
                "\nThe class and the sources are compiled at -O0: optimised code checks a pointer and uses it with\n"
                "one load, and no other thread can come between.\n\n"
                "Examples:\n"
                "  ravel reproduce --stack crash.txt --header logger.h --source logger.cpp -- -std=c++20\n"
                "  ravel reproduce --core core.1234 --binary ./server --header cache.h --class 'Cache<int>'\n"
                "  ravel reproduce --stack crash.txt --handle db --header db.h --source db.c\n\n"
                "Exit codes: 0 reproduced, 1 not reproduced, 2 usage or environment.");
  return [chosen, &line] { return run_reproduce(*chosen, line); };
}

}  // namespace ravel
