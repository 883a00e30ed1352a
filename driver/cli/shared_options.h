// SPDX-License-Identifier: Apache-2.0
// The options that several commands take, each defined once: the same name, check and help everywhere.
// Who calls it: the functions that define commands. Thread safety: none needed; main's thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "driver/cli/console.h"
#include "driver/cli/options.h"
#include "model/launch.h"

namespace ravel {

inline void define_schedule(Options& options, std::string& schedule) {
  options.text("SCHEDULE", schedule, "a schedule file, such as ravel run writes");
}

// `carrier`: a CarrierKind, or a std::optional of one.
template <typename Held>
Options::Definition& define_carrier(Options& options, Held& carrier) {
  constexpr unsigned kControlled = 2;  // parallel threads are what `ravel noise` is for
  return options.choice("--carrier", carrier, carrier_name, kControlled,
                        "what tasks run on: fibers are fast, gdb understands threads");
}

// `files`: a FileView, or a std::optional of one.
template <typename Held>
Options::Definition& define_files(Options& options, Held& files) {
  return options.choice("--files", files, file_view_name, 3,
                        "where changes go that the program makes to files: to a view of the disk that each execution "
                        "has for itself, to the disk with everything put back afterwards, or to the disk for good");
}

inline void define_fresh(Options& options, std::uint8_t& fresh) {
  options.flag("--fresh", fresh, "start the program again for each execution: slower, and nothing is shared");
}

inline void define_memory_model(Options& options, MemoryModel& model) {
  options.choice("--memory-model", model, memory_model_name, 2,
                 "what an atomic load can return: the latest store (sc), or any that C++ allows (c11)");
}

inline Options::Definition& define_timeout(Options& options, const Variable<std::chrono::nanoseconds>& timeout,
                                           const std::string& what = "one execution") {
  return options.duration("--timeout TIME", timeout, "wall-clock limit of " + what);
}

inline void define_time(Options& options, std::optional<std::chrono::nanoseconds>& time) {
  options.duration("--time TIME", time, "stop after this time, such as 60s or 5m").or_else("no limit");
}

// `what`: what the seed decides: "the noise".
inline void define_seed(Options& options, std::uint64_t& seed, const std::string& what) {
  options.number("--seed N", seed, "seed of " + what, 0, std::numeric_limits<std::uint64_t>::max());
}

inline void define_ok_exit(Options& options, std::vector<int>& codes) {
  options.numbers("--ok-exit N", codes,
                  "an exit code of the program that does not count as a failure; may be given several times", 0, 255);
}

inline void define_shrink_time(Options& options, std::chrono::nanoseconds& time) {
  options.duration("--time TIME", time, "time limit of the search for a shorter schedule");
}

inline Options::Definition& define_compile_commands(Options& options, std::string& file) {
  return options.text("--compile-commands FILE", file, "how the sources are compiled");
}

inline void define_out(Options& options, std::string& out, const std::string& what = "schedules") {
  options.text("--out DIR", out, "directory for " + what);
}

inline void define_json(Options& options, std::string& file) {
  options.report("--json FILE", file, "write the results as JSON; - is standard output");
}

// The reports of a command that looks for findings: one set, written by ReportFiles (driver/cli/report_files.h).
inline void define_reports(Options& options, OutputOptions& output) {
  define_json(options, output.json);
  options.report("--html FILE", output.html, "write the findings as a page for the browser: one file, no network");
  options.report("--sarif FILE", output.sarif, "write the findings as SARIF, for code scanning and editors");
  options.report("--junit FILE", output.junit, "write the results as JUnit XML");
  options.report("--perfetto FILE", output.perfetto, "write the executions as a trace for ui.perfetto.dev");
}

// `what`: what is still printed.
inline void define_quiet(Options& options, bool& quiet, const std::string& what) {
  options.flag("--quiet", quiet, "print only " + what);
}

inline void define_color(Options& options, bool& color) {
  options.flag("--no-color", color, "no colours (NO_COLOR in the environment does the same)");
}

}  // namespace ravel
