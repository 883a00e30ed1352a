// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/changed_tests.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "driver/process/run_process.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kWholeFile = ~0U;

// "@@ -12,0 +13,2 @@ List::add": lines 13 and 14 of the file as it is now.
bool read_hunk(std::string_view line, unsigned& first, unsigned& last) {
  const std::size_t plus = line.find(" +");
  if (plus == std::string_view::npos) return false;
  const char* const end = line.data() + line.size();
  unsigned count = 1;
  const auto start = std::from_chars(line.data() + plus + 2, end, first);
  if (start.ec != std::errc()) return false;
  if (start.ptr != end && *start.ptr == ',') std::from_chars(start.ptr + 1, end, count);
  last = count == 0 ? first + 1 : first + count - 1;
  return true;
}

std::string_view file_name(std::string_view line) {
  line.remove_prefix(4);
  if (line.ends_with('\t')) line.remove_suffix(1);  // git marks a name with blanks this way
  return line;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_part(text[at - 1]);
    if (begins && (end == text.size() || !is_word_part(text[end]))) return true;
  }
  return false;
}

// "list.cpp List::add access 1 of this->size_": size_.
std::optional<std::string> variable_in(const std::string& point) {
  const std::size_t access = point.rfind(" access ");
  const std::size_t of = point.rfind(" of ");
  if (access == std::string::npos || of == std::string::npos || of < access) return std::nullopt;
  std::string name = point.substr(of + 4);
  std::size_t begin = name.size();
  while (begin > 0 && is_word_part(name[begin - 1])) --begin;
  name.erase(0, begin);
  return name.empty() ? std::nullopt : std::optional(name);
}

bool is_below(const fs::path& file, const fs::path& directory) {
  const auto [end, other] = std::mismatch(directory.begin(), directory.end(), file.begin(), file.end());
  return end == directory.end();
}

// As git names files: without links on the way.
fs::path real_path(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error);
}

Result<std::string> git(std::vector<std::string> words, const fs::path& directory) {
  std::vector<std::string> all = {"git", "-c", "core.quotePath=false", "-C", directory.string()};
  all.insert(all.end(), words.begin(), words.end());
  const auto told = run_process(all);
  if (!told.is_ok()) return told.status();
  if (told.value().code() != 0) return Status::trouble("git failed", "");
  return told.value().output;
}

}  // namespace

std::vector<ChangedLines> parse_diff(std::string_view text, const fs::path& root) {
  std::vector<ChangedLines> changes;
  std::string_view old_name;
  fs::path file;
  bool in_head = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ChangedLines change;
    if (line.starts_with("diff ")) {
      in_head = true;
      file.clear();
    } else if (in_head && line.starts_with("--- ")) {
      old_name = file_name(line);
    } else if (in_head && line.starts_with("+++ ")) {
      const std::string_view name = file_name(line) == "/dev/null" ? old_name : file_name(line);
      file = (root / name).lexically_normal();
    } else if (line.starts_with("@@ ") && !file.empty() && read_hunk(line, change.first, change.last)) {
      in_head = false;
      change.file = file;
      changes.push_back(std::move(change));
    } else if (!in_head && !changes.empty() && (line.starts_with("+") || line.starts_with("-"))) {
      changes.back().text += line.substr(1);
      changes.back().text += '\n';
    }
  }
  return changes;
}

Result<std::vector<ChangedLines>> changes_since(const std::string& revision, const fs::path& directory) {
  const auto root = git({"rev-parse", "--show-toplevel"}, directory);
  if (!root.is_ok()) {
    return Status::trouble(
        fmt::format("{} is not in a git repository, so Ravel cannot tell what has changed", directory.string()),
        "leave out --changed");
  }
  const fs::path top = root.value().substr(0, root.value().find('\n'));
  // Must be a revision: no option and no file.
  const auto known = git({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}, top);
  if (!known.is_ok()) {
    return Status::trouble(fmt::format("git does not know the revision {} in {}", revision, top.string()),
                           "name a commit, branch or tag: --changed HEAD~1");
  }
  const std::string commit = known.value().substr(0, known.value().find('\n'));
  const auto diff = git({"diff", "-U0", "--no-color", "--no-ext-diff", "--no-prefix", commit, "--"}, top);
  if (!diff.is_ok()) return Status::trouble(fmt::format("git diff {} failed in {}", revision, top.string()), "try it");
  std::vector<ChangedLines> changes = parse_diff(diff.value(), top);
  if (const auto fresh = git({"ls-files", "--others", "--exclude-standard"}, top); fresh.is_ok()) {
    std::istringstream names(fresh.value());
    for (std::string name; std::getline(names, name);) changes.push_back({top / name, 1, kWholeFile, ""});
  }
  return changes;
}

std::string reason_to_run_first(const WovenTest& test, const std::vector<ChangedLines>& changes) {
  const fs::path own = real_path(test.file.parent_path());
  for (const ChangedLines& change : changes) {
    if (is_below(change.file, own)) return "its own files have changed";
  }
  std::set<std::string> variables;
  for (const std::vector<FoundPlace>* places : {&test.actions, &test.racing}) {
    for (const FoundPlace& place : *places) {
      if (const auto name = variable_in(place.text)) variables.insert(*name);
      const fs::path file = real_path(place.file);
      const unsigned first = place.function_line == 0 ? place.line : place.function_line;
      const unsigned last = place.function_line == 0 ? place.last_line : place.function_last_line;
      for (const ChangedLines& change : changes) {
        if (change.first > last || change.last < first || change.file != file) continue;
        return fmt::format("{} has changed ({}:{})", place.function, place.file.filename().string(), change.first);
      }
    }
  }
  for (const std::string& variable : variables) {
    for (const ChangedLines& change : changes) {
      if (!has_word(change.text, variable)) continue;
      return fmt::format("a line with {} has changed ({}:{})", variable, change.file.filename().string(), change.first);
    }
  }
  return {};
}

}  // namespace ravel
