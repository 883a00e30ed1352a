// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/tsan_report.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace ravel {
namespace {

// "WARNING: ThreadSanitizer: data race (pid=11100)"; also ERROR, for a crash.
constexpr std::string_view kHead = ": ThreadSanitizer: ";

std::optional<FindingKind> kind_of(std::string_view title) {
  const auto has = [&](std::string_view words) { return title.find(words) != std::string_view::npos; };
  if (has("use-after-free")) return FindingKind::use_after_free;
  if (has("data race")) return FindingKind::data_race;
  if (has("deadlock")) return FindingKind::deadlock;
  if (has("mutex")) return FindingKind::lock_misuse;
  if (has("SEGV") || has("BUS")) return FindingKind::signal;
  return std::nullopt;
}

std::string_view without_blanks(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// "  Previous atomic write of size 4 at 0x7ff by thread T2 (mutexes: write M1):"
bool opens_access(std::string_view line) {
  const std::string_view words = without_blanks(line);
  for (const std::string_view word :
       {"Read of size", "Write of size", "Atomic read of size", "Atomic write of size", "Previous read of size",
        "Previous write of size", "Previous atomic read of size", "Previous atomic write of size"}) {
    if (words.starts_with(word)) return true;
  }
  return false;
}

// The same without its address, which differs from run to run.
std::string access_words(std::string_view line) {
  std::string words(without_blanks(line));
  if (words.ends_with(':')) words.pop_back();
  const std::size_t at = words.find(" at 0x");
  const std::size_t by = words.find(" by ", at == std::string::npos ? 0 : at);
  if (at != std::string::npos && by != std::string::npos) words.erase(at, by - at);
  words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

// "#0 List::add(int) /src/list.cpp:6:3 (prog+0x2484) (BuildId: 12)"; "#7 <null> <null> (libc.so.6+0xd44a2)".
Frame frame_of(std::string_view line) {
  Frame frame;
  line = without_blanks(line);
  line = without_blanks(line.substr(std::min(line.find(' '), line.size())));
  for (std::size_t open = line.rfind(" ("); open != std::string_view::npos && line.ends_with(')');
       open = line.rfind(" (")) {
    const std::string_view part = line.substr(open + 2);
    const std::size_t offset = part.find("+0x");
    if (offset == std::string_view::npos && !part.starts_with("BuildId")) break;
    if (offset != std::string_view::npos) frame.module = std::string(part.substr(0, offset));
    line = line.substr(0, open);
  }
  // Both functions and paths may contain blanks, but paths of the user's files are absolute.
  std::size_t split = line.find(" /");
  if (split == std::string_view::npos) split = line.rfind(' ');
  frame.function = std::string(line.substr(0, split));
  if (frame.function == "<null>") frame.function = "??";
  if (split == std::string_view::npos) return frame;
  std::string_view place = line.substr(split + 1);
  // The line, followed by clang's column.
  unsigned numbers[2] = {0, 0};
  unsigned count = 0;
  while (count < 2) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) break;
    const std::string_view digits = place.substr(colon + 1);
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) break;
    numbers[count++] = number;
    place = place.substr(0, colon);
  }
  if (count == 0) return frame;
  frame.file = std::string(place);
  frame.line = numbers[count - 1];
  frame.column = count == 2 ? numbers[0] : 0;
  return frame;
}

}  // namespace

std::vector<DetectorReport> parse_tsan_reports(std::string_view text) {
  std::vector<DetectorReport> reports;
  DetectorReport report;
  bool in_report = false;
  bool in_access = false;
  const auto finish = [&] {
    if (in_report) reports.push_back(std::move(report));
    report = DetectorReport();
    in_report = false;
    in_access = false;
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t head = line.find(kHead);
    if (head != std::string_view::npos && (line.find("WARNING") < head || line.find("ERROR") < head)) {
      finish();
      std::string_view title = line.substr(head + kHead.size());
      title = title.substr(0, title.find(" (pid="));
      in_report = true;
      report.kind = kind_of(title);
      report.sentence = fmt::format("ThreadSanitizer: {}", title);
    } else if (line.starts_with("SUMMARY: ThreadSanitizer") || line.starts_with("==================")) {
      finish();
    } else if (in_report && without_blanks(line).starts_with("#")) {
      if (in_access) report.stacks.back().push_back(frame_of(line));
    } else if (in_report && opens_access(line)) {
      in_access = true;
      report.sentence += fmt::format("{} {}", report.stacks.empty() ? ":" : ",", access_words(line));
      report.stacks.emplace_back();
    } else if (!without_blanks(line).empty()) {
      in_access = false;
    }
  }
  return reports;
}

bool tsan_was_running(std::string_view text) { return text.find("ThreadSanitizer") != std::string_view::npos; }

}  // namespace ravel
