// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/frame_readers.h"

#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

// A line divided at the number of its frame.
struct NumberedLine {
  std::string_view before;
  std::uint32_t number = 0;
  std::string_view body;
};

// "text #3 body"; the first number with a blank or nothing before it.
std::optional<NumberedLine> at_hash(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at > 0 && line[at - 1] != ' ') continue;
    std::string_view rest = line.substr(at + 1);
    const auto number = take_number(rest);
    if (!number || rest.empty() || (rest.front() != ' ' && rest.front() != ':')) continue;
    return NumberedLine{trimmed(line.substr(0, at)), *number, trimmed(rest.substr(1))};
  }
  return std::nullopt;
}

// "3# body", "3> body", "3  body": the number comes first. `mark` is what follows it.
std::optional<NumberedLine> at_number(std::string_view line, std::string_view mark) {
  std::string_view rest = trimmed(line);
  const auto number = take_number(rest);
  if (!number || !take(rest, mark)) return std::nullopt;
  return NumberedLine{{}, *number, trimmed(rest)};
}

std::optional<FrameLine> numbered(std::optional<FrameLine> frame, std::uint32_t number) {
  if (frame) frame->number = number;
  return frame;
}

bool looks_like_values(std::string_view text) { return text.empty() || text.find('=') != std::string_view::npos; }

std::optional<FrameLine> read_hash_line(const NumberedLine& line) {
  if (line.before.ends_with("frame")) return read_lldb_frame(line.body);
  // The first that recognises it. The more a form asks for, the earlier it is asked.
  auto gdb = read_gdb_frame(line.body);
  if (gdb && gdb->rest == FrameRest::none) return gdb;
  for (const auto read : {read_ravel_frame, read_tombstone_frame, read_backward_frame, read_coredumpctl_frame}) {
    if (auto frame = read(line.body)) return frame;
  }
  // gdb's "in f (x=1)" and a sanitizer's "in f (prog+0x12)" look alike.
  const bool module = line.body.ends_with(')') && line.body.rfind("+0x") > line.body.rfind('(') &&
                      line.body.rfind("+0x") != std::string_view::npos;
  // "see #7 of the list (in German)" has neither address nor place.
  const bool plausible =
      gdb && (gdb->frame.address || (line.before.empty() && looks_like_values(gdb->frame.arguments)));
  if (plausible && !module) return gdb;
  if (auto frame = read_sanitizer_frame(line.body)) return frame;
  if (!line.before.empty() || line.body.empty()) return std::nullopt;
  // A function whose place is on the next line.
  FrameLine frame;
  frame.rest = FrameRest::place;
  frame.format = CrashFormat::ravel;
  set_function(frame.frame, line.body);
  return frame;
}

}  // namespace

std::optional<FrameLine> read_frame_line(std::string_view line) {
  if (const auto parts = at_hash(line)) {
    if (auto frame = numbered(read_hash_line(*parts), parts->number)) return frame;
  }
  if (const auto parts = at_number(line, "#"); parts && (parts->body.empty() || line.find("# ") != line.npos)) {
    auto frame = numbered(read_boost_frame(parts->body), parts->number);
    // The standard library of GNU writes the number four columns wide, Boost two.
    if (frame && line.starts_with("  ") && line.find('#') == 4) frame->format = CrashFormat::std_stacktrace;
    return frame;
  }
  if (const auto parts = at_number(line, "> ")) return numbered(read_msvc_frame(parts->body), parts->number);
  if (const auto parts = at_number(line, "  ")) {
    if (auto frame = numbered(read_breakpad_frame(parts->body), parts->number)) return frame;
  }
  if (auto frame = read_backward_frame(trimmed(line))) {
    frame->inner = true;
    return frame;
  }
  return read_glibc_frame(line);
}

}  // namespace ravel
