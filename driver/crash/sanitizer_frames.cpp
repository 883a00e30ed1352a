// SPDX-License-Identifier: Apache-2.0
// Frames as the sanitizers and Ravel's own reports write them: a function, a place, a module in brackets.
#include <algorithm>

#include "driver/crash/brackets.h"
#include "driver/crash/frame_readers.h"
#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

bool is_build_id(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_hex_digit); }

// Takes " (BuildId: 12ab)" from the end.
void take_build_id(std::string_view& text, CrashFrame& frame) {
  std::string_view rest = text;
  std::optional<std::string_view> group = take_last_group(rest);
  if (!group || !take(*group, "BuildId: ") || !is_build_id(*group)) return;
  frame.build_id = std::string(*group);
  text = rest;
}

// Takes " (prog+0x12)" from the end.
bool take_module(std::string_view& text, CrashFrame& frame) {
  std::string_view rest = text;
  const std::optional<std::string_view> group = take_last_group(rest);
  const std::size_t plus = group ? group->rfind("+0x") : std::string_view::npos;
  if (plus == std::string_view::npos) return false;
  const auto offset = address_of(group->substr(plus + 1));
  if (!offset) return false;
  set_module(frame, group->substr(0, plus), *offset);
  text = rest;
  return true;
}

// Takes " (inlined)" from the end.
bool take_word(std::string_view& text, std::string_view word) {
  std::string_view rest = text;
  if (take_last_group(rest) != word) return false;
  text = rest;
  return true;
}

// "app::run() const /my files/run.cpp:4:3": both halves may have blanks.
std::optional<std::size_t> place_begin(std::string_view text) {
  Brackets brackets;
  std::optional<std::size_t> last;
  for (std::size_t at = 0; at < text.size();) {
    if (brackets.outside() && text[at] == ' ') {
      const std::string_view next = text.substr(at + 1);
      last = at;
      if (next.starts_with('/') || next.starts_with("../") || next.starts_with("./")) return at;
    }
    at = brackets.take(text, at);
  }
  return last;
}

}  // namespace

std::optional<FrameLine> read_sanitizer_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::sanitizer;
  CrashFrame& frame = line.frame;
  frame.address = take_address(body);
  const bool named = frame.address && take(body, " in ");
  if (frame.address && !named && !take(body, " ")) return std::nullopt;
  body = trimmed(body);
  take_build_id(body, frame);
  const bool has_module = take_module(body, frame);
  if (frame.address && !named && (!has_module || !body.empty())) return std::nullopt;
  if (const auto place = text_place(body)) {
    const auto begin = place_begin(body.substr(0, place->file.size()));
    if (!begin) return std::nullopt;
    set_function(frame, body.substr(0, *begin));
    set_place(frame, place->file.substr(*begin + 1), place->line, place->column);
    return line;
  }
  if (!has_module && !named) return std::nullopt;
  // "f <null> (libx.so+0x12)", and files without lines.
  if (body.ends_with(" <null>")) body = trimmed(body.substr(0, body.size() - 7));
  if (const auto begin = place_begin(body); begin && body.substr(*begin + 1).starts_with('/'))
    body = body.substr(0, *begin);
  set_function(frame, body);
  return frame.known() || has_module ? std::optional(line) : std::nullopt;
}

std::optional<FrameLine> read_ravel_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::ravel;
  CrashFrame& frame = line.frame;
  const std::size_t gap = body.find("  ");
  // Sanitizers without symbols have two blanks behind the address.
  if (gap == std::string_view::npos || gap == 0 || address_of(body.substr(0, gap))) return std::nullopt;
  std::string_view rest = trimmed(body.substr(gap));
  frame.method = take_word(rest, "method");
  frame.inlined = take_word(rest, "inlined");
  take_build_id(rest, frame);
  bool has_place = take_word(rest, "unknown code") || take_module(rest, frame);
  if (!has_place && rest.ends_with(')')) {
    const auto module = take_last_group(rest);
    if (!module) return std::nullopt;
    set_module(frame, *module, 0);
    has_place = true;
  }
  if (const auto place = text_place(rest)) {
    set_place(frame, place->file, place->line, place->column);
    has_place = true;
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  if (!has_place) return std::nullopt;
  set_function(frame, body.substr(0, gap));
  return line;
}

}  // namespace ravel
