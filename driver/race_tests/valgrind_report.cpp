// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/valgrind_report.h"

#include <charconv>

#include <fmt/format.h>

namespace ravel {
namespace {

// Takes the content of the next <name>...</name> off `text`; nullopt when there is none.
std::optional<std::string_view> take(std::string_view& text, std::string_view name) {
  const std::string open = fmt::format("<{}>", name);
  const std::string close = fmt::format("</{}>", name);
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(close, begin);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inner = text.substr(begin + open.size(), end - begin - open.size());
  text.remove_prefix(end + close.size());
  return inner;
}

std::string plain(std::string_view xml) {
  constexpr std::pair<std::string_view, char> kNames[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  std::string text;
  while (!xml.empty()) {
    bool replaced = false;
    for (const auto& [name, c] : kNames) {
      if (replaced || !xml.starts_with(name)) continue;
      text += c;
      xml.remove_prefix(name.size());
      replaced = true;
    }
    if (replaced) continue;
    text += xml.front();
    xml.remove_prefix(1);
  }
  return text;
}

std::string field(std::string_view text, std::string_view name) { return plain(take(text, name).value_or("")); }

std::vector<Frame> stack_of(std::string_view xml) {
  std::vector<Frame> stack;
  while (const auto entry = take(xml, "frame")) {
    Frame frame;
    frame.function = field(*entry, "fn");
    if (frame.function.empty()) frame.function = "??";
    frame.module = field(*entry, "obj");
    frame.file = field(*entry, "file");
    const std::string directory = field(*entry, "dir");
    if (!frame.file.empty() && !directory.empty()) frame.file = directory + "/" + frame.file;
    const std::string line = field(*entry, "line");
    std::from_chars(line.data(), line.data() + line.size(), frame.line);
    stack.push_back(std::move(frame));
  }
  return stack;
}

std::optional<FindingKind> finding_of(std::string_view kind) {
  if (kind == "Race" || kind == "ConflictingAccess") return FindingKind::data_race;
  if (kind == "LockOrder") return FindingKind::deadlock;
  if (kind.starts_with("Unlock") || kind == "MutexErr") return FindingKind::lock_misuse;
  return std::nullopt;
}

// "Possible data race during write of size 4 at 0x1FFF000570 by thread #2" without its address.
std::string without_address(std::string text) {
  const std::size_t at = text.find(" at 0x");
  if (at == std::string::npos) return text;
  const std::size_t end = text.find(' ', at + 4);
  return text.erase(at, (end == std::string::npos ? text.size() : end) - at);
}

DetectorReport report_of(std::string_view error) {
  DetectorReport report;
  report.kind = finding_of(field(error, "kind"));
  report.half = field(error, "kind") == "ConflictingAccess";
  std::string what = field(error, "what");
  if (what.empty()) what = field(error, "text");
  report.sentence = without_address(std::move(what));
  if (report.kind != FindingKind::data_race) return report;
  // The stack of the access comes first; that of the earlier one follows the words about it. DRD has no such words: it
  // says between which calls the other thread was.
  if (const auto stack = take(error, "stack")) report.stacks.push_back(stack_of(*stack));
  const std::size_t before = error.find("This conflicts with a previous");
  if (report.half || before == std::string_view::npos) return report;
  error.remove_prefix(before);
  std::string_view words = error;
  const std::string earlier = plain(words.substr(0, words.find('<')));
  report.sentence += fmt::format(", {}{}", "which", earlier.substr(std::string_view("This").size()));
  if (const auto stack = take(error, "stack")) report.stacks.push_back(stack_of(*stack));
  return report;
}

}  // namespace

std::vector<DetectorReport> parse_valgrind_reports(std::string_view xml) {
  std::vector<DetectorReport> reports;
  while (const auto error = take(xml, "error")) reports.push_back(report_of(*error));
  return reports;
}

}  // namespace ravel
