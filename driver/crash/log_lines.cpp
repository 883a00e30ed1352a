// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/log_lines.h"

#include <algorithm>

#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

// Behind the escape sequence that begins at `at`.
std::size_t behind_escape(std::string_view text, std::size_t at) {
  if (++at >= text.size()) return at;
  if (text[at] == ']') {  // a title or a link, up to a bell or the next escape
    while (at < text.size() && text[at] != '\a' && text[at] != '\x1b' && text[at] != '\n') ++at;
    return at < text.size() && text[at] == '\a' ? at + 1 : at;
  }
  if (text[at] != '[') return text[at] == '\n' ? at : at + 1;
  ++at;
  while (at < text.size() && text[at] >= 0x20 && text[at] < 0x40) ++at;
  return at < text.size() && text[at] >= 0x40 ? at + 1 : at;
}

// What a log puts before a line is no longer than this, part by part.
constexpr std::size_t kLongest = 40;

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

// "2026-11-17T10:35:00.123Z", "10:35:00", "11-17": digits with what is between them in dates and times.
bool is_time(std::string_view word) {
  const auto count = [&](char c) { return std::count(word.begin(), word.end(), c); };
  const bool marks = word.size() >= 5 && (count(':') >= 2 || count('-') >= 1 || count('/') >= 2);
  return marks && is_digit(word.front()) && std::all_of(word.begin(), word.end(), [](char c) {
           return is_digit(c) || std::string_view(":-/.,TZ+").find(c) != std::string_view::npos;
         });
}

bool is_month(std::string_view word) {
  static constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return std::find(std::begin(kMonths), std::end(kMonths), word) != std::end(kMonths);
}

// Takes the word and one blank behind it.
void take_word(std::string_view& text, std::string_view word) {
  text.remove_prefix(word.size());
  take(text, " ");
}

// Takes "Nov 17 ", "10:35:00 ", "[  12.345678] " from the front.
bool take_time(std::string_view& text) {
  const std::string_view word = first_word(text);
  if (is_time(word)) {
    take_word(text, word);
    return true;
  }
  if (is_month(word)) {
    std::string_view rest = text.substr(word.size());
    while (take(rest, " ")) {
    }
    const std::string_view day = first_word(rest);
    if (!number_of(day)) return false;
    take_word(rest, day);
    text = rest;
    return true;
  }
  if (!text.starts_with('[')) return false;
  const std::size_t close = text.find(']');
  if (close > kLongest) return false;  // or there is none
  const std::string_view inner = trimmed(text.substr(1, close - 1));
  const bool seconds =
      !inner.empty() && std::all_of(inner.begin(), inner.end(), [](char c) { return is_digit(c) || c == '.'; });
  if (!seconds && !is_time(first_word(inner))) return false;
  text.remove_prefix(close + 1);
  take(text, " ");
  return true;
}

// Takes "4711  4715 F DEBUG   : " from the front: process, thread, level and tag of logcat.
bool take_logcat(std::string_view& text) {
  std::string_view rest = text;
  for (int numbers = 0; numbers < 2; ++numbers) {
    while (take(rest, " ")) {
    }
    if (!take_number(rest) || !rest.starts_with(' ')) return false;
  }
  const std::size_t colon = rest.find(':');
  if (colon > kLongest) return false;
  text = rest.substr(colon + 1);
  take(text, " ");
  return true;
}

// Takes "host prog[12]: ", "host kernel: ", "stderr F " from the front. `named`: the time had the name of a month, as
// in syslog, where host and program follow in any case.
void take_origin(std::string_view& text, bool named) {
  for (const std::string_view stream : {"stdout F ", "stderr F ", "stdout P ", "stderr P "}) {
    if (take(text, stream)) return;
  }
  const std::string_view first = first_word(text);
  const std::string_view second = first_word(text.substr(std::min(first.size() + 1, text.size())));
  const auto is_program = [](std::string_view word) { return word.ends_with("]:") || word == "kernel:"; };
  if (is_program(first)) {
    take_word(text, first);
  } else if (is_program(second) || (named && second.ends_with(':'))) {
    take_word(text, first);
    take_word(text, second);
  }
}

}  // namespace

std::string_view without_log_prefix(std::string_view line) {
  std::string_view rest = line;
  const bool named = is_month(first_word(rest));
  bool timed = false;
  while (take_time(rest)) timed = true;
  if (timed) {
    if (!take_logcat(rest)) take_origin(rest, named);
  } else if (!take(rest, "kernel: ")) {
    // logcat without times: "F/DEBUG   ( 123): "
    const std::size_t colon = rest.find("): ");
    if (rest.size() > 2 && rest[1] == '/' && colon < kLongest) rest.remove_prefix(colon + 3);
  }
  return rest;
}

std::vector<std::string> log_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::string line;
  const auto finish = [&] {
    lines.emplace_back(without_log_prefix(line));
    line.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\x1b') {
      at = behind_escape(text, at);
      continue;
    }
    // rsyslog's way to write a line end.
    if (text.substr(at).starts_with("#012")) {
      at += 4;
      finish();
      continue;
    }
    ++at;
    if (c == '\n') {
      finish();
    } else if (c == '\t') {
      line += ' ';
    } else if (c < 0 || (c >= ' ' && c != 0x7f)) {
      line += c;
    }
  }
  if (!line.empty()) finish();
  return lines;
}

}  // namespace ravel
