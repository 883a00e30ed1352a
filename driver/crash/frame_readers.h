// SPDX-License-Identifier: Apache-2.0
// One line of a crash stack, read in each of the forms there are. Every function answers nullopt when the line is not
// of its form. read_frame_line asks all of them.
//
// Who calls it: stack_text, which puts frames together to stacks. Thread safety: pure functions.
//
// Invariant: linear in the length of the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "driver/crash/crash_report.h"

namespace ravel {

// What a line lacks that may be on the next one.
enum class FrameRest : std::uint8_t { none, place, arguments };

struct FrameLine {
  CrashFormat format = CrashFormat::gdb;
  std::optional<std::uint32_t> number;  // of the frame, where it has one
  CrashFrame frame;
  bool inner = false;  // backward-cpp: the functions of one address follow each other; this line is not the first
  FrameRest rest = FrameRest::none;
};

// Any form. The line is without colours and line end; other text may be before the frame.
std::optional<FrameLine> read_frame_line(std::string_view line);

// What is behind "#3 ", without blanks at the ends.
std::optional<FrameLine> read_gdb_frame(std::string_view body);
std::optional<FrameLine> read_sanitizer_frame(std::string_view body);
std::optional<FrameLine> read_ravel_frame(std::string_view body);
std::optional<FrameLine> read_coredumpctl_frame(std::string_view body);
std::optional<FrameLine> read_tombstone_frame(std::string_view body);
std::optional<FrameLine> read_backward_frame(std::string_view body);

// What is behind "frame #3: ".
std::optional<FrameLine> read_lldb_frame(std::string_view body);
// What is behind "3# "; also that of std::stacktrace.
std::optional<FrameLine> read_boost_frame(std::string_view body);
// What is behind "3> ".
std::optional<FrameLine> read_msvc_frame(std::string_view body);
// What is behind " 3  ".
std::optional<FrameLine> read_breakpad_frame(std::string_view body);
// The whole line.
std::optional<FrameLine> read_glibc_frame(std::string_view line);

}  // namespace ravel
