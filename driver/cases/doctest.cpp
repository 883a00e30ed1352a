// SPDX-License-Identifier: Apache-2.0
// doctest. Its listing:
//
//   [doctest] listing all test case names
//   ==========================================
//   push, then pop
//   ==========================================
//   [doctest] unskipped test cases passing the current filters: 1
//
// Options are given with the prefix dt-, which every build of doctest understands. Subcases belong to their case.
#include <algorithm>
#include <cctype>

#include "driver/cases/test_framework.h"
#include "reports/text_lines.h"

namespace ravel {
namespace {

// "-tc=x", "--test-case=x", "--dt-test-case=x": whatever selects cases by name.
bool is_filter(std::string_view word) {
  if (!word.starts_with('-')) return false;
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  if (word.starts_with("dt-")) word.remove_prefix(3);
  return word.starts_with("test-case=") || word.starts_with("tc=");
}

bool is_rule(std::string_view line) {
  return line.size() > 10 && line.find_first_not_of('=') == std::string_view::npos;
}

bool differ_in_case_alone(const std::string& a, const std::string& b) {
  return a != b && std::equal(a.begin(), a.end(), b.begin(), b.end(),
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

class Doctest final : public TestFramework {
 public:
  const char* name() const override { return "doctest"; }

  Words listing_words(const Words& arguments) const override {
    FilteredArguments given(arguments);
    if (!given.filter.empty()) given.others.push_back("--dt-test-case=" + given.filter);
    given.others.emplace_back("--dt-list-test-cases");
    return given.others;
  }

  std::vector<std::string> cases_in(std::string_view listing, const Words& /*arguments*/) const override {
    std::vector<std::string> cases;
    int rules = 0;  // lines of '=' since the listing began; 0: it has not
    bool begun = false;
    for (const std::string_view line : lines_of(listing)) {
      if (line.starts_with("[doctest] listing all test case names")) {
        begun = true;
      } else if (begun && is_rule(line)) {
        ++rules;
      } else if (rules == 1 && !line.empty()) {
        cases.emplace_back(line);
      }
    }
    return cases;
  }

  // Versions differ in how a comma is escaped; the wildcard for one character stands for it in all of them.
  Words selecting_words(const Words& arguments, const std::string& name,
                        const std::vector<std::string>& cases) const override {
    FilteredArguments given(arguments);
    std::erase_if(given.others, is_filter);
    std::string pattern = name;
    std::replace_if(
        pattern.begin(), pattern.end(), [](char c) { return c == ',' || c == '\\'; }, '?');
    given.others.push_back("--dt-test-case=" + pattern);
    const auto is_like_it = [&](const std::string& other) { return differ_in_case_alone(name, other); };
    if (std::any_of(cases.begin(), cases.end(), is_like_it)) given.others.emplace_back("--dt-case-sensitive=true");
    return given.others;
  }
};

}  // namespace

std::unique_ptr<TestFramework> make_doctest() { return std::make_unique<Doctest>(); }

}  // namespace ravel
