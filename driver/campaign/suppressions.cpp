// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/suppressions.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, SuppressionType> kTypes[] = {
    {"race", SuppressionType::race},
    {"race_top", SuppressionType::race_top},
    {"mutex", SuppressionType::mutex},
    {"deadlock", SuppressionType::deadlock},
    {"called_from_lib", SuppressionType::called_from_lib},
    {"thread", SuppressionType::thread},
    {"signal", SuppressionType::signal},
};

std::string_view name_of(SuppressionType type) {
  for (const auto& [name, value] : kTypes) {
    if (value == type) return name;
  }
  return "";
}

std::string known_types() {
  std::string text;
  for (const auto& [name, type] : kTypes) text += fmt::format("{}{}:", text.empty() ? "" : " ", name);
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Whether the `pieces` occur in `name` one after the other, the first at the start if from_start, the last at the end
// if to_end. Each piece is matched as early as possible, which leaves most room for the rest.
bool pieces_match(const std::vector<std::string_view>& pieces, std::string_view name, bool from_start, bool to_end) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string_view piece = pieces[i];
    if (i + 1 == pieces.size() && to_end) {
      if (name.size() < at + piece.size() || !name.ends_with(piece)) return false;
      return i > 0 || !from_start || name.size() == piece.size();
    }
    const std::size_t found = name.find(piece, at);
    if (found == std::string_view::npos || (i == 0 && from_start && found != 0)) return false;
    at = found + piece.size();
  }
  return true;
}

// Debug information may give a path relative to where the tool runs; rules may be written either way.
bool file_matches(const std::string& pattern, const std::string& file) {
  if (file.empty()) return false;
  if (pattern_matches(pattern, file)) return true;
  if (file.front() == '/') return false;
  std::error_code error;
  const fs::path full = fs::absolute(file, error);
  return !error && pattern_matches(pattern, full.string());
}

bool frame_matches(const std::string& pattern, const Frame& frame) {
  return pattern_matches(pattern, frame.function) || file_matches(pattern, frame.file) ||
         file_matches(pattern, frame.module);
}

bool any_matches(const std::string& pattern, const std::vector<Frame>& frames) {
  return std::any_of(frames.begin(), frames.end(), [&](const Frame& frame) { return frame_matches(pattern, frame); });
}

bool is_deadlock(FindingKind kind) {
  return std::string_view(finding_name(kind)).find("deadlock") != std::string_view::npos;
}

bool applies(SuppressionType type, FindingKind kind) {
  switch (type) {
    case SuppressionType::race:
    case SuppressionType::race_top:
      return kind == FindingKind::data_race || kind == FindingKind::use_after_free;
    case SuppressionType::mutex:
      return kind == FindingKind::lock_misuse;
    case SuppressionType::deadlock:
      return is_deadlock(kind);
    case SuppressionType::called_from_lib:
      return is_about_memory(kind) || kind == FindingKind::lock_misuse || is_deadlock(kind);
    case SuppressionType::thread:
    case SuppressionType::signal:
      return false;
  }
  return false;
}

bool covers(const SuppressionRule& rule, const ResolvedFinding& finding) {
  if (!applies(rule.type, finding.kind)) return false;
  const std::string& pattern = rule.pattern;
  for (const ResolvedStack& stack : finding.stacks) {
    const std::vector<Frame>& frames = stack.whole.empty() ? stack.frames : stack.whole;
    if (rule.type == SuppressionType::race_top) {
      if (!frames.empty() && frame_matches(pattern, frames.front())) return true;
      continue;
    }
    if (rule.type == SuppressionType::called_from_lib) {
      if (!frames.empty() && file_matches(pattern, frames.front().module)) return true;
      continue;
    }
    if (any_matches(pattern, frames)) return true;
    if (rule.type != SuppressionType::deadlock) continue;
    for (const HeldLock& lock : stack.held) {
      if (any_matches(pattern, lock.taken_at)) return true;
    }
  }
  if (rule.type == SuppressionType::called_from_lib && !finding.may_be_ordered_by.empty()) {
    return pattern_matches(pattern, finding.may_be_ordered_by);
  }
  if (rule.type != SuppressionType::race) return false;
  if (pattern_matches(pattern, finding.memory.variable)) return true;
  return std::any_of(finding.tasks.begin(), finding.tasks.end(), [&](const ResolvedTask& task) {
    // Tasks that only allocated or freed the block are not part of the race.
    const bool races = std::any_of(finding.stacks.begin(), finding.stacks.end(),
                                   [&](const ResolvedStack& stack) { return stack.task == task.task; });
    return races && any_matches(pattern, task.created_at);
  });
}

Result<std::string> read_file(const SuppressionSource& source, const std::string& program) {
  std::error_code ignored;
  std::string path = source.path;
  if (!fs::exists(path, ignored) && fs::path(path).is_relative()) {
    const fs::path beside = fs::path(program).parent_path() / path;
    if (fs::exists(beside, ignored)) path = beside.string();
  }
  const std::string named = source.from_environment ? " (named by TSAN_OPTIONS)" : "";
  const auto trouble = [&](const std::string& why) {
    return Status::trouble(fmt::format("cannot read the suppressions in {}{}: {}", source.path, named, why),
                           source.from_environment ? "correct suppressions=FILE in TSAN_OPTIONS, or unset it"
                                                   : "check the path given to --suppressions");
  };
  if (fs::is_directory(path, ignored)) return trouble("it is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) return trouble(std::strerror(errno));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return trouble("reading it failed");
  return text;
}

}  // namespace

std::string SuppressionRule::text() const { return fmt::format("{}:{}", name_of(type), pattern); }

bool pattern_matches(std::string_view pattern, std::string_view name) {
  if (name.empty()) return false;
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at <= pattern.size();) {
    const std::size_t end = std::min(pattern.find('*', at), pattern.size());
    pieces.push_back(pattern.substr(at, end - at));
    at = end + 1;
  }
  return pieces_match(pieces, name, from_start, to_end);
}

std::string suppressions_in_options(std::string_view options) {
  // Like the sanitizers' own parser: name=value, separated by blanks, commas or colons; a value may be quoted.
  constexpr std::string_view kBetween = " ,:\n\t\r";
  std::string file;
  for (std::size_t at = 0; (at = options.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
    const std::size_t equals = options.find('=', at);
    const std::size_t between = options.find_first_of(kBetween, at);
    if (equals == std::string_view::npos || between < equals) {
      at = std::min(between, options.size());
      continue;
    }
    const std::string_view name = options.substr(at, equals - at);
    std::size_t begin = equals + 1;
    std::size_t end = 0;
    if (begin < options.size() && (options[begin] == '\'' || options[begin] == '"')) {
      end = std::min(options.find(options[begin], begin + 1), options.size());
      at = std::min(end + 1, options.size());
      ++begin;
    } else {
      end = std::min(options.find_first_of(kBetween, begin), options.size());
      at = end;
    }
    if (name == "suppressions") file = options.substr(begin, end - begin);
  }
  return file;
}

Result<Suppressions> Suppressions::load(const std::vector<SuppressionSource>& sources, const std::string& program) {
  Suppressions suppressions;
  for (const SuppressionSource& source : sources) {
    const auto text = read_file(source, program);
    if (!text.is_ok()) return text.status();
    if (Status status = suppressions.add(text.value(), source.path); !status.is_ok()) return status;
  }
  return suppressions;
}

Status Suppressions::add(std::string_view text, const std::string& file) {
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    const std::string_view word = line.substr(0, std::min(colon, line.size()));
    const auto type =
        std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& t) { return t.first == word; });
    if (colon == std::string_view::npos || type == std::end(kTypes)) {
      return Status::trouble(
          fmt::format("line {} of {} is not a suppression: {}", number, file, std::string(line.substr(0, 80))),
          fmt::format("a line is TYPE:PATTERN, for example race:deposit; types are {}", known_types()));
    }
    const std::string_view pattern = trimmed(line.substr(colon + 1));
    if (pattern.empty()) {
      return Status::trouble(fmt::format("line {} of {} names nothing to suppress: {}", number, file, line),
                             fmt::format("{}:* suppresses everything of that type", word));
    }
    rules_.push_back({type->second, std::string(pattern), file, number, rules_.size()});
  }
  return Status::ok();
}

const SuppressionRule* Suppressions::match(const ResolvedFinding& finding) const {
  const auto found =
      std::find_if(rules_.begin(), rules_.end(), [&](const SuppressionRule& rule) { return covers(rule, finding); });
  return found == rules_.end() ? nullptr : &*found;
}

}  // namespace ravel
