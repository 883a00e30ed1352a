// SPDX-License-Identifier: Apache-2.0
// Frames as gdb and LLDB write them: with the values of arguments, which may be any text.
#include <algorithm>

#include "driver/crash/brackets.h"
#include "driver/crash/frame_readers.h"
#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

// Behind the string or character that begins at `at`; `at` when none does.
std::size_t behind_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '\'') {
    // Also used in names and in words: only what is as short as a character counts.
    const std::size_t length = text.substr(at + 1).starts_with('\\') ? 5 : 1;
    const std::size_t end = text.substr(at + 1, length + 1).find('\'', 1);
    return end == std::string_view::npos ? at : at + end + 2;
  }
  if (quote != '"') return at;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

// Behind the ")" that ends the values which begin at `at`, with their "("; nullopt when nothing ends them.
std::optional<std::size_t> behind_values(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const std::size_t literal = behind_literal(text, at);
    if (literal != at) {
      at = literal;
      continue;
    }
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
    ++at;
  }
  return std::nullopt;
}

// Where the values of a gdb frame begin: "app::run<int>(int) (x=1)" at the second bracket. Not behind two blanks: those
// are in values, and between the function and the place of Ravel's own reports.
std::optional<std::size_t> values_begin(std::string_view text) {
  Brackets brackets;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("  ")) return std::nullopt;
    if (brackets.outside() && is_lone_bracket(text, at)) return at;
    at = brackets.take(text, at);
  }
  return std::nullopt;
}

void set_arguments(CrashFrame& frame, std::string_view values) {
  frame.arguments = one_line(values);
  frame.method = frame.arguments.starts_with("this=") || frame.arguments.find(", this=") != std::string::npos;
}

// "1, x=2" are no values, "x=2" and "(null)=3" are.
bool are_values(std::string_view text) {
  if (text.starts_with("(null)=") || text.starts_with("this=")) return true;
  std::size_t end = 0;
  while (end < text.size() && (is_name_character(text[end]) || text[end] == '#')) ++end;
  return end > 0 && end < text.size() && text[end] == '=';
}

// What LLDB shows without the values, which go to the frame: they are in the first bracket that has some. What follows
// them is sometimes no longer in order, and is left out.
std::string_view without_values(std::string_view text, CrashFrame& frame) {
  Brackets brackets;
  for (std::size_t at = 0; at < text.size();) {
    // LLDB takes the brackets of the name for those of the parameters.
    const bool is_name = text.substr(at).starts_with("operator(") && are_values(text.substr(at + 9));
    if (brackets.outside() && is_name) at += 8;
    if (brackets.outside() && text[at] == '(' && are_values(text.substr(at + 1))) {
      const std::size_t end = behind_values(text, at).value_or(text.size() + 1);
      set_arguments(frame, text.substr(at + 1, end - at - 2));
      // It does the same to those of a type before the name.
      const bool before_name = text.substr(0, at) == "decltype" && end < text.size();
      const std::string_view rest = before_name ? text.substr(end) : std::string_view();
      return before_name ? rest.substr(std::min(rest.find(' '), rest.size())) : text.substr(0, at);
    }
    at = brackets.take(text, at);
  }
  return text;
}

}  // namespace

std::optional<FrameLine> read_gdb_frame(std::string_view body) {
  FrameLine line;
  CrashFrame& frame = line.frame;
  if (body == "<signal handler called>") {
    frame.signal_handler = true;
    frame.function = "??";
    return line;
  }
  frame.address = take_address(body);
  if (frame.address && (!take(body, " in ") || body.starts_with(' '))) return std::nullopt;
  const std::optional<std::size_t> begin = values_begin(body);
  if (!begin) return std::nullopt;
  const std::string_view function = trimmed(body.substr(0, *begin));
  if (function.empty()) return std::nullopt;
  const std::optional<std::size_t> end = behind_values(body, *begin);
  set_function(frame, function);
  if (!end) {
    line.rest = FrameRest::arguments;
    set_arguments(frame, body.substr(*begin + 1));
    return line;
  }
  set_arguments(frame, body.substr(*begin + 1, *end - *begin - 2));
  std::string_view rest = trimmed(body.substr(*end));
  if (take(rest, "at ")) {
    const auto place = text_place(trimmed(rest));
    if (!place) return std::nullopt;
    set_place(frame, place->file, place->line, place->column);
  } else if (take(rest, "from ")) {
    set_module(frame, rest, 0);
  } else if (rest.empty()) {
    line.rest = FrameRest::place;
  } else {
    return std::nullopt;
  }
  return line;
}

std::optional<FrameLine> read_lldb_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::lldb;
  CrashFrame& frame = line.frame;
  frame.address = take_address(body);
  if (!frame.address || (!body.empty() && body.front() != ' ')) return std::nullopt;
  body = trimmed(body);
  set_function(frame, {});
  const std::size_t tick = body.find('`');
  if (tick == std::string_view::npos) {
    set_module(frame, body, 0);
    return line;
  }
  set_module(frame, body.substr(0, tick), 0);
  body.remove_prefix(tick + 1);
  if (const std::size_t at = body.rfind(" at "); at != std::string_view::npos) {
    if (const auto place = text_place(body.substr(at + 4))) {
      set_place(frame, place->file, place->line, place->column);
      body = body.substr(0, at);
    }
  }
  if (const std::size_t plus = body.rfind(" + "); plus != std::string_view::npos && number_of(body.substr(plus + 3))) {
    body = body.substr(0, plus);
  }
  constexpr std::string_view kInlined = " [inlined] ";
  if (const std::size_t at = body.rfind(kInlined); at != std::string_view::npos) {
    frame.inlined = true;
    body.remove_prefix(at + kInlined.size());
  }
  body = trimmed(without_values(body, frame));
  set_function(frame, body.ends_with("operator") ? std::string(body) + "()" : std::string(body));
  return line;
}

}  // namespace ravel
