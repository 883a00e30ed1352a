// SPDX-License-Identifier: Apache-2.0
// Frames as libraries print them from inside the program: glibc, Boost.Stacktrace, std::stacktrace, backward-cpp.
#include "driver/crash/brackets.h"
#include "driver/crash/frame_readers.h"
#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

// The last of these words that is outside all brackets.
std::optional<std::size_t> last_outside(std::string_view text, std::string_view words) {
  std::optional<std::size_t> last;
  Brackets brackets;
  for (std::size_t at = 0; at < text.size(); at = brackets.take(text, at)) {
    if (brackets.outside() && text.substr(at).starts_with(words)) last = at;
  }
  return last;
}

// Takes `"..."` from the front.
std::optional<std::string_view> take_quoted(std::string_view& text) {
  const std::size_t end = text.find('"', 1);
  if (!text.starts_with('"') || end == std::string_view::npos) return std::nullopt;
  const std::string_view inner = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return inner;
}

}  // namespace

// "./prog(_ZN3app3runEv+0x1f) [0x55d0c0ffee]", "./prog(+0x12ab)[0x55d0c0ffee]", "./prog [0x55d0c0ffee]"
std::optional<FrameLine> read_glibc_frame(std::string_view line) {
  FrameLine result;
  result.format = CrashFormat::glibc;
  CrashFrame& frame = result.frame;
  line = trimmed(line);
  const std::size_t bracket = line.rfind('[');
  if (bracket == std::string_view::npos || bracket == 0 || !line.ends_with(']')) return std::nullopt;
  frame.address = address_of(line.substr(bracket + 1, line.size() - bracket - 2));
  if (!frame.address) return std::nullopt;
  std::string_view rest = trimmed(line.substr(0, bracket));
  std::string_view inner;
  if (rest.ends_with(')')) {
    const std::size_t open = rest.rfind('(');
    if (open == std::string_view::npos) return std::nullopt;
    inner = rest.substr(open + 1, rest.size() - open - 2);
    rest = rest.substr(0, open);
  }
  // A path may have blanks, but so has the text that a log puts before it.
  const std::size_t path = rest.starts_with('/') || rest.starts_with("./") ? 0 : rest.rfind(' ') + 1;
  rest = rest.substr(path);
  if (rest.empty()) return std::nullopt;
  // Behind a symbol is the distance from it; alone, the place in the module.
  const std::size_t plus = inner.rfind('+');
  const auto offset = plus == std::string_view::npos ? std::nullopt : address_of(inner.substr(plus + 1));
  if (offset) inner = inner.substr(0, plus);
  set_module(frame, rest, offset && inner.empty() ? *offset : 0);
  set_function(frame, inner);
  return result;
}

std::optional<FrameLine> read_boost_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::boost_stacktrace;
  CrashFrame& frame = line.frame;
  set_function(frame, {});
  std::string_view rest = body;
  frame.address = take_address(rest);
  if (frame.address && (rest.empty() || take(rest, " in "))) {
    set_module(frame, rest, 0);
    return line;
  }
  frame.address.reset();
  if (const auto at = last_outside(body, " at ")) {
    if (const auto place = text_place(body.substr(*at + 4))) {
      set_function(frame, body.substr(0, *at));
      set_place(frame, place->file, place->line, place->column);
      return line;
    }
  }
  const auto in = last_outside(body, " in ");
  if (in) set_module(frame, body.substr(*in + 4), 0);
  set_function(frame, body.substr(0, in.value_or(body.size())));
  return line;
}

// "C:\src\run.cpp(12): app!run+0x1F", "KERNEL32!BaseThreadInitThunk+0x1D", "app+0x12AB"
std::optional<FrameLine> read_msvc_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::msvc_stacktrace;
  CrashFrame& frame = line.frame;
  if (const std::size_t close = body.find("): "); close != std::string_view::npos) {
    const std::size_t open = body.rfind('(', close);
    const auto number =
        open == std::string_view::npos ? std::nullopt : number_of(body.substr(open + 1, close - open - 1));
    if (number) {
      set_place(frame, body.substr(0, open), *number);
      body.remove_prefix(close + 3);
    }
  }
  const std::size_t plus = body.rfind("+0x");
  const auto offset = plus == std::string_view::npos ? std::nullopt : address_of(body.substr(plus + 1));
  if (offset) body = body.substr(0, plus);
  const std::size_t mark = body.find('!');
  if (mark == std::string_view::npos && (!offset || frame.line != 0)) return std::nullopt;
  const bool named = mark != std::string_view::npos;
  set_module(frame, body.substr(0, mark), named || !offset ? 0 : *offset);
  set_function(frame, named ? body.substr(mark + 1) : std::string_view());
  return line;
}

// `Source "run.cpp", line 12, in run [0x55d0c0ffee]`, `Object "./prog", at 0x55d0c0ffee, in run`; "| " in front of
// functions that were inlined.
std::optional<FrameLine> read_backward_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::backward;
  CrashFrame& frame = line.frame;
  take(body, "| ");
  if (take(body, "Source ")) {
    const auto file = take_quoted(body);
    if (!file || !take(body, ", line ")) return std::nullopt;
    const auto number = take_number(body);
    if (!number || !take(body, ", in")) return std::nullopt;
    set_place(frame, *file, *number);
    body = trimmed(body);
    const std::size_t bracket = body.rfind('[');
    if (bracket != std::string_view::npos && body.ends_with(']')) {
      frame.address = address_of(body.substr(bracket + 1, body.size() - bracket - 2));
      if (frame.address) body = body.substr(0, bracket);
    }
  } else if (take(body, "Object ")) {
    const auto module = take_quoted(body);
    if (!module || !take(body, ", at ")) return std::nullopt;
    frame.address = take_address(body);
    if (!take(body, ", in")) return std::nullopt;
    set_module(frame, *module, 0);
  } else {
    return std::nullopt;
  }
  set_function(frame, body);
  return line;
}

}  // namespace ravel
