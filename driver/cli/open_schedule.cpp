// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/open_schedule.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "driver/cli/interrupt.h"
#include "driver/target/program_file.h"
#include "driver/target/schedule_builder.h"
#include "trace/schedule_reader.h"

namespace ravel {

Result<OpenedSchedule> open_schedule(const std::string& path, std::chrono::nanoseconds timeout, Console& console) {
  auto read = read_schedule(path);
  if (!read.is_ok()) return read.status();
  OpenedSchedule opened{std::move(read.value()), {}};
  const Schedule& schedule = opened.schedule;
  if (schedule.program.empty()) {
    return Status::trouble(fmt::format("{} names no program", path), "record it again: ravel run");
  }
  // A schedule names its program as it was typed, so look for it from the directory where it was typed.
  std::error_code error;
  if (!schedule.directory.empty()) std::filesystem::current_path(schedule.directory, error);
  if (error) {
    console.warn(
        fmt::format("the directory {} of the schedule does not exist; using the current one", schedule.directory));
  }
  if (!schedule.race_test.empty()) ::setenv(kRaceTestVariable, schedule.race_test.c_str(), 1);
  opened.settings.launch = schedule.launch;
  opened.settings.ok_exits = schedule.ok_exits;
  opened.settings.timeout = timeout;
  const auto program = open_program(schedule.program, opened.settings);
  if (!program.is_ok()) return program.status();
  return opened;
}

Result<OpenedSchedule> open_finding(const std::string& path, std::chrono::nanoseconds timeout, StandardInput& input,
                                    Console& console) {
  auto opened = open_schedule(path, timeout, console);
  if (!opened.is_ok()) return opened;
  if (Status status = take_terminal(opened.value().settings, input); !status.is_ok()) return status;
  if (opened.value().schedule.finding) return opened;
  return Status::trouble(fmt::format("{} records no finding", path),
                         "ravel replay runs it; only findings can be shrunk, explained and pinned");
}

Status take_terminal(TargetSettings& settings, StandardInput& input) {
  settings.deadline = Deadline(catch_interrupts());
  auto taken = StandardInput::take(STDIN_FILENO);
  if (!taken.is_ok()) return taken.status();
  input = std::move(taken.value());
  settings.input = &input;
  return Status::ok();
}

}  // namespace ravel
