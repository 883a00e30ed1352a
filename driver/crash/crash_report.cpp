// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/crash_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/crash/brackets.h"
#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

bool means_unknown(std::string_view function) {
  static constexpr std::string_view kUnknown[] = {"",          "??",  "?",     "<null>",    "n/a",
                                                  "<unknown>", "???", "(nil)", "[unknown]", "(null)"};
  return std::find(std::begin(kUnknown), std::end(kUnknown), function) != std::end(kUnknown) ||
         function.starts_with("___lldb_unnamed_symbol") || address_of(function).has_value();
}

// "run (int)" -> "run(int)": a blank before the bracket would make the rest look like values.
std::string without_lone_brackets(std::string_view function) {
  std::string text;
  Brackets brackets;
  for (std::size_t at = 0; at < function.size();) {
    if (brackets.outside() && is_lone_bracket(function, at)) text.pop_back();
    const std::size_t next = brackets.take(function, at);
    text += function.substr(at, next - at);
    at = next;
  }
  return text;
}

}  // namespace

std::string_view format_name(CrashFormat format) {
  switch (format) {
#define RAVEL_CRASH_FORMAT(enumerator, name) \
  case CrashFormat::enumerator:              \
    return name;
#include "driver/crash/crash_format.def"
#undef RAVEL_CRASH_FORMAT
  }
  return {};
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const bool blank = c >= 0 && (c <= ' ' || c == 0x7f);
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string path_text(std::string_view path) {
  std::string line = one_line(path);
  std::size_t open = 0;
  std::string text;
  for (const char c : line) {
    if (c == ')' && open == 0) continue;
    open += c == '(' ? 1 : 0;
    open -= c == ')' ? 1 : 0;
    text += c;
  }
  for (std::size_t at = text.size(); at-- > 0 && open > 0;) {
    if (text[at] != '(') continue;
    text.erase(at, 1);
    --open;
  }
  return one_line(text);
}

void set_function(CrashFrame& frame, std::string_view text) {
  std::string function = one_line(text);
  if (function.starts_with("_Z") || function.starts_with("__Z")) {
    // Some systems put another underscore in front.
    function = one_line(demangle(function.substr(function.starts_with("__Z") ? 1 : 0)));
  }
  function = without_lone_brackets(function);
  frame.name = FunctionName();
  frame.function = "??";
  if (means_unknown(function)) return;
  frame.name = parse_function_name(function);
  frame.function = std::move(function);
}

void set_place(CrashFrame& frame, std::string_view file, std::uint32_t line, std::uint32_t column) {
  while (!file.empty() && (is_digit(file.back()) || file.back() == ':') && text_place(file)) {
    file = text_place(file)->file;
  }
  frame.file = one_line(file);
  while (frame.file.starts_with("at ")) frame.file.erase(0, 3);  // a debugger's word for what follows
  if (frame.file.empty() || frame.file == "<null>") line = 0;
  if (line == 0) frame.file.clear();
  frame.line = line;
  frame.column = line == 0 ? 0 : column;
}

void set_module(CrashFrame& frame, std::string_view module, std::uint64_t offset) {
  frame.module = path_text(module);
  const std::size_t plus = frame.module.rfind("+0x");
  if (plus != std::string::npos && address_of(std::string_view(frame.module).substr(plus + 1))) {
    frame.module = path_text(frame.module.substr(0, plus));
  }
  for (const std::string_view word : {"inlined", "method", "unknown code"}) {
    if (frame.module == word) frame.module.clear();
  }
  if (frame.module.starts_with("BuildId:")) frame.module.clear();
  frame.offset = frame.module.empty() ? 0 : offset;
}

const CrashThread* CrashReport::crashed() const {
  const auto found =
      std::find_if(threads.begin(), threads.end(), [](const CrashThread& thread) { return thread.crashed; });
  return found == threads.end() ? nullptr : &*found;
}

std::string frame_text(const CrashFrame& frame, std::size_t number) {
  if (frame.signal_handler) return fmt::format("#{}  <signal handler called>", number);
  std::string text = fmt::format("#{} {} ", number, frame.function);
  if (frame.line != 0) text += fmt::format(" {}:{}", frame.file, frame.line);
  if (frame.line != 0 && frame.column != 0) text += fmt::format(":{}", frame.column);
  if (!frame.module.empty()) {
    text +=
        frame.offset == 0 ? fmt::format(" ({})", frame.module) : fmt::format(" ({}+{:#x})", frame.module, frame.offset);
  }
  if (frame.line == 0 && frame.module.empty()) text += " (unknown code)";
  if (!frame.build_id.empty()) text += fmt::format(" (BuildId: {})", frame.build_id);
  if (frame.inlined) text += " (inlined)";
  if (frame.method) text += " (method)";
  return text;
}

std::string crash_text(const CrashReport& report) {
  std::string text;
  const CrashFailure& failure = report.failure;
  if (failure.kind || !failure.message.empty()) {
    text += failure.kind ? finding_name(*failure.kind) : std::string("failure");
    text += failure.message.empty() ? "\n" : fmt::format(": {}\n", failure.message);
  }
  for (const CrashThread& thread : report.threads) {
    text += "\n  thread" + (thread.id.empty() ? "" : " " + thread.id);
    if (!thread.name.empty()) text += fmt::format(" ({})", thread.name);
    if (thread.crashed) text += ", crashed";
    text += thread.heading.empty() ? ":\n" : fmt::format(": {}:\n", thread.heading);
    for (std::size_t i = 0; i < thread.frames.size(); ++i) {
      text += fmt::format("    {}\n", frame_text(thread.frames[i], i));
    }
  }
  return text;
}

}  // namespace ravel
