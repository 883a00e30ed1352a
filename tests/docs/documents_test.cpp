// SPDX-License-Identifier: Apache-2.0
// Documents may not rot: every path they name exists, every C++ snippet is text of a file that the build compiles.
#include <gtest/gtest.h>

#include <cctype>
#include <regex>

#include "model/strategy_kind.h"
#include "tests/architecture/source_tree.h"

namespace ravel::testing {
namespace {

std::vector<std::filesystem::path> documents() {
  std::vector<std::filesystem::path> found;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) found.push_back(source_root() / name);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  return found;
}

struct Snippet {
  std::size_t line = 0;
  std::string language;
  std::vector<std::string> lines;
};

struct Document {
  std::vector<std::pair<std::size_t, std::string>> prose;  // lines outside code blocks, with their numbers
  std::vector<Snippet> snippets;
};

Document parse(const std::filesystem::path& path) {
  Document document;
  bool inside = false;
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t text = lines[i].find_first_not_of(' ');
    const bool fence = text != std::string::npos && lines[i].compare(text, 3, "```") == 0;
    if (fence && !inside) document.snippets.push_back({i + 1, lines[i].substr(text + 3), {}});
    if (fence) {
      inside = !inside;
    } else if (inside) {
      document.snippets.back().lines.push_back(lines[i]);
    } else {
      document.prose.emplace_back(i + 1, lines[i]);
    }
  }
  return document;
}

// Paths are what stands in `backquotes` or as a link target and looks like one: it begins with a folder (or is a file)
// of the tree. Names with a placeholder such as <name>, N or * stand for many files and are left alone.
std::vector<std::string> paths_in(const std::string& line) {
  static const std::regex kQuoted("`([^`]+)`");
  static const std::regex kLink(R"(\]\(([^)#]+)(#[^)]*)?\))");
  static const std::regex kPath(R"(^(\./)?[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*/?$)");
  std::vector<std::string> paths;
  for (const std::regex& pattern : {kQuoted, kLink}) {
    for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match) {
      const std::string text = (*match)[1];
      if (std::regex_match(text, kPath)) paths.push_back(text);
    }
  }
  return paths;
}

bool names_a_file_of_the_tree(const std::string& path) {
  static const std::set<std::string> kTop = [] {
    std::set<std::string> folders = product_folders();
    folders.merge(std::set<std::string>{"tests", "examples", "benchmarks", "docs", "cmake", ".ci"});
    return folders;
  }();
  static const std::set<std::string> kFiles = {"dev",          "./dev",  "README.md", "CONTRIBUTING.md",
                                               "CHANGELOG.md", "LICENSE"};
  const std::string first = path.substr(0, path.find('/'));
  return kFiles.contains(path) || (kTop.contains(first) && path.find('/') != std::string::npos);
}

TEST(Documents, EveryPathTheyNameExists) {
  for (const auto& document : documents()) {
    ASSERT_TRUE(std::filesystem::exists(document)) << document;
    for (const auto& [number, line] : parse(document).prose) {
      for (const std::string& path : paths_in(line)) {
        const bool relative = std::filesystem::exists(document.parent_path() / path);
        if (relative || !names_a_file_of_the_tree(path)) continue;
        if (std::filesystem::exists(source_root() / path)) continue;
        ADD_FAILURE() << relative_to_root(document) << ":" << number << ": " << path << " does not exist";
      }
    }
  }
}

// Who chooses among strategies wants to know the same of each.
TEST(Documents, EveryStrategyTellsItsIdeaPaperDeviationsAndUse) {
  std::vector<std::string> names = {"auto"};
  for (const StrategyRow& row : kStrategies) names.emplace_back(row.name);
  for (const std::string& name : names) {
    const std::filesystem::path page = source_root() / "docs" / "strategies" / (name + ".md");
    const std::vector<std::string> lines = read_lines(page);
    for (const char* part : {"**Idea.**", "**Paper.**", "**Deviations.**", "**When to use.**"}) {
      const bool there =
          std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(part); });
      EXPECT_TRUE(there) << relative_to_root(page) << " has no " << part;
    }
  }
}

// "## How schedules get short" -> "how-schedules-get-short", as GitHub does it.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

bool has_anchor(const std::filesystem::path& document, const std::string& anchor) {
  const Document parsed = parse(document);
  return std::any_of(parsed.prose.begin(), parsed.prose.end(), [&](const auto& line) {
    return line.second.starts_with("#") && anchor_of(line.second) == anchor;
  });
}

TEST(Documents, EveryLinkLeadsSomewhere) {
  static const std::regex kLink(R"(\]\(([^)#]*)#?([^)]*)\))");
  for (const auto& document : documents()) {
    for (const auto& [number, line] : parse(document).prose) {
      for (std::sregex_iterator match(line.begin(), line.end(), kLink), end; match != end; ++match) {
        const std::string target = (*match)[1];
        const std::string anchor = (*match)[2];
        if (target.starts_with("http")) continue;
        const std::filesystem::path file = target.empty() ? document : document.parent_path() / target;
        if (std::filesystem::exists(file) && (anchor.empty() || has_anchor(file, anchor))) continue;
        ADD_FAILURE() << relative_to_root(document) << ":" << number << ": link to " << (*match)[0] << " leads nowhere";
      }
    }
  }
}

// docs/guarantees.md promises that each of its rows names the test that shows it.
TEST(Documents, EveryGuaranteeNamesItsTest) {
  std::size_t rows = 0;
  for (const auto& [number, line] : parse(source_root() / "docs" / "guarantees.md").prose) {
    if (!line.starts_with("| ") || line.ends_with("| shown by |")) continue;
    ++rows;
    const std::string shown_by = line.substr(line.rfind(" | "));
    EXPECT_NE(shown_by.find("`tests/"), std::string::npos) << "docs/guarantees.md:" << number << " names no test";
  }
  EXPECT_GE(rows, 80U);
}

std::string squeezed(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    for (const char c : line) {
      if (c != ' ' && c != '\t') text += c;
    }
  }
  return text;
}

// White space aside (clang-format may move it), a ```cpp block is a piece of a source file, so it compiles.
TEST(Documents, EveryCppSnippetIsInACompiledFile) {
  std::vector<std::string> sources;
  std::set<std::string> folders = product_folders();
  folders.merge(std::set<std::string>{"tests", "examples"});
  for (const std::string& top : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() / top)) {
      const std::string extension = entry.path().extension();
      if (extension == ".cpp" || extension == ".h" || extension == ".def") {
        sources.push_back(squeezed(read_lines(entry.path())));
      }
    }
  }
  for (const auto& document : documents()) {
    for (const Snippet& snippet : parse(document).snippets) {
      if (snippet.language != "cpp") continue;
      const std::string text = squeezed(snippet.lines);
      const bool found = std::any_of(sources.begin(), sources.end(),
                                     [&](const std::string& source) { return source.find(text) != std::string::npos; });
      if (!found)
        ADD_FAILURE() << relative_to_root(document) << ":" << snippet.line << ": this snippet is in no source file";
    }
  }
}

TEST(Documents, TheCheckerSeesPaths) {
  EXPECT_EQ(paths_in("see `runtime/abi/x.cpp` and [that](docs/a.md#part)"),
            (std::vector<std::string>{"runtime/abi/x.cpp", "docs/a.md"}));
  EXPECT_TRUE(paths_in("`runtime/<name>.cpp` and `ravel run -- ./prog`").empty());
  EXPECT_TRUE(names_a_file_of_the_tree("runtime/abi/x.cpp"));
  EXPECT_TRUE(names_a_file_of_the_tree("analysis/points/x.cpp"));
  EXPECT_FALSE(names_a_file_of_the_tree("build/bin/ravel"));
}

}  // namespace
}  // namespace ravel::testing
