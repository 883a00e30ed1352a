// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/open_schedule.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "driver/target/program_file.h"
#include "driver/target/schedule_builder.h"
#include "trace/schedule_reader.h"

namespace ravel {
namespace {

// A schedule names its program as it was typed, so it is looked for from where it was typed.
void go_to(const std::string& directory, Console& console) {
  std::error_code error;
  std::filesystem::current_path(directory, error);
  if (error) {
    fmt::print(stderr, "ravel: warning: the directory {} of the schedule is not there; staying in this one\n",
               directory);
    console.clear_progress();
  }
}

}  // namespace

Result<OpenedSchedule> open_schedule(const std::string& path, Console& console) {
  auto schedule = read_schedule(path);
  if (!schedule.is_ok()) return schedule.status();
  if (schedule.value().program.empty()) {
    return Status::trouble(fmt::format("{} names no program", path), "record it again: ravel run");
  }
  if (!schedule.value().directory.empty()) go_to(schedule.value().directory, console);
  if (!schedule.value().race_test.empty()) ::setenv(kRaceTestVariable, schedule.value().race_test.c_str(), 1);
  OpenedSchedule opened;
  opened.schedule = std::move(schedule.value());
  opened.settings.launch = opened.schedule.launch;
  const auto program = open_program(opened.schedule.program, opened.settings);
  if (!program.is_ok()) return program.status();
  return opened;
}

}  // namespace ravel
