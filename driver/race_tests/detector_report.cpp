// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/detector_report.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "reports/finding_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const std::string& told, const fs::path& file) {
  if (told.empty() || fs::path(told).filename() != file.filename()) return false;
  std::error_code error;
  const fs::path whole = fs::absolute(told, error).lexically_normal();
  // If a directory of the path is a link, compilers may have written either name.
  return whole == file || fs::weakly_canonical(whole, error) == fs::weakly_canonical(file, error);
}

bool lies_in(const std::vector<Frame>& stack, const FoundPlace& place) {
  return std::any_of(stack.begin(), stack.end(), [&](const Frame& frame) {
    return place.line <= frame.line && frame.line <= place.last_line && is_same_file(frame.file, place.file);
  });
}

bool is_expected_race(const DetectorReport& report, const std::vector<FoundPlace>& places) {
  if (places.empty()) return true;
  const auto fits = [&](std::size_t first, std::size_t second) {
    return lies_in(report.stacks[0], places[first]) && (report.half || lies_in(report.stacks[1], places[second]));
  };
  return report.stacks.size() >= (report.half ? 1U : 2U) && (fits(0, 1) || fits(1, 0));
}

// As the driver names files everywhere: relative to the current directory when below it.
std::string short_path(const std::string& file) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path relative = fs::path(file).lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

}  // namespace

Meaning meaning_of(const DetectorReport& report, const WovenTest& test) {
  if (report.waits) return Meaning::impossible;
  if (!test.expected) return Meaning::expected;
  if (report.kind != test.expected) return Meaning::other;
  if (*test.expected != FindingKind::data_race) return Meaning::expected;
  return is_expected_race(report, test.racing) ? Meaning::expected : Meaning::other;
}

std::string sentence_of(const DetectorReport& report) {
  if (report.waits) return report.sentence;
  std::string text = report.kind ? fmt::format("{}: {}", finding_name(*report.kind), report.sentence) : report.sentence;
  std::string places;
  for (const std::vector<Frame>& stack : report.stacks) {
    const Frame* const frame = user_frame(stack);
    if (frame == nullptr) continue;
    Frame told = *frame;
    told.file = short_path(told.file);
    places += fmt::format("{}{} ({})", places.empty() ? ", at " : " and ", location_text(told), told.function);
  }
  return text + places;
}

}  // namespace ravel
