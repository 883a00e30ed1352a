// SPDX-License-Identifier: Apache-2.0
// What the writer and the reader of schedule files share: version, limits, checksum, names of tasks. The format itself
// is in docs/formats/schedule.md. Driver-side only; pure functions, safe to call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "trace/channel.h"

namespace ravel {

inline constexpr std::string_view kScheduleMagic = "ravel-schedule";
inline constexpr std::uint32_t kScheduleVersion = 1;

// Limits of the reader: memory stays bounded whatever a file says. The decision log cannot hold more runs than this.
inline constexpr std::size_t kMaxScheduleBytes = std::size_t{128} << 20;
inline constexpr std::size_t kMaxScheduleRuns = kMaxDecisionRuns;

// Longer executions are written without their operations.
inline constexpr std::size_t kMaxKeptOperations = 200'000;

// Where lines of section text are broken.
inline constexpr std::size_t kScheduleColumns = 100;

// FNV-1a over the text before the `end` line.
constexpr std::uint64_t schedule_checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

// The first 52 tasks have one-letter names in the decisions section; the others are written {123}.
inline constexpr TaskId kLetteredTasks = 52;

constexpr char task_letter(TaskId task) { return static_cast<char>(task < 26 ? 'a' + task : 'A' + (task - 26)); }

constexpr std::optional<TaskId> task_from_letter(char letter) {
  if (letter >= 'a' && letter <= 'z') return static_cast<TaskId>(letter - 'a');
  if (letter >= 'A' && letter <= 'Z') return static_cast<TaskId>(letter - 'A') + 26;
  return std::nullopt;
}

}  // namespace ravel
