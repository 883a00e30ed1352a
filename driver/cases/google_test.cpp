// SPDX-License-Identifier: Apache-2.0
// GoogleTest. Its listing:
//
//   Queue.
//     PushThenPop
//   Sizes/QueueOf.  # TypeParam = int
//     Holds/0  # GetParam() = 1
#include <algorithm>
#include <cstdlib>

#include "driver/cases/test_framework.h"
#include "reports/text_lines.h"

namespace ravel {
namespace {

constexpr std::string_view kFilter = "--gtest_filter=";
constexpr std::string_view kDisabledToo = "--gtest_also_run_disabled_tests";

// What a line says, without the comment about its parameter.
std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find("  # "), line.size()));
}

// GoogleTest's own rule, for the name of a suite and for that of a test in it.
bool is_disabled(std::string_view name) {
  return name.starts_with("DISABLED_") || name.find("/DISABLED_") != std::string_view::npos;
}

bool is_true(std::string_view value) { return !value.empty() && value != "0" && value[0] != 'f' && value[0] != 'F'; }

bool runs_disabled_tests(const TestFramework::Words& arguments) {
  const char* const variable = std::getenv("GTEST_ALSO_RUN_DISABLED_TESTS");
  bool result = variable != nullptr && is_true(variable);
  for (const std::string& word : arguments) {
    if (word == kDisabledToo) result = true;
    if (word.starts_with(std::string(kDisabledToo) + "=")) result = is_true(word.substr(kDisabledToo.size() + 1));
  }
  return result;
}

class GoogleTest final : public TestFramework {
 public:
  const char* name() const override { return "GoogleTest"; }

  Words listing_words(const Words& arguments) const override {
    FilteredArguments given(arguments);
    if (!given.filter.empty()) given.others.push_back(std::string(kFilter) + given.filter);
    given.others.emplace_back("--gtest_list_tests");
    return given.others;
  }

  std::vector<std::string> cases_in(std::string_view listing, const Words& arguments) const override {
    const bool disabled_too = runs_disabled_tests(arguments);
    std::vector<std::string> cases;
    std::string_view suite;  // with its dot; empty outside of any
    for (const std::string_view line : lines_of(listing)) {
      const std::string_view text = without_comment(line);
      if (!text.starts_with("  ")) {
        // Other output of the program may come in between.
        suite = text.ends_with('.') && text.size() > 1 ? text : std::string_view();
        continue;
      }
      const std::string_view test = text.substr(2);
      if (suite.empty() || test.empty() || test.starts_with(' ')) continue;
      if (!disabled_too && (is_disabled(suite) || is_disabled(test))) continue;
      cases.push_back(std::string(suite) + std::string(test));
    }
    return cases;
  }

  // ':' separates the patterns of a filter, and '-' begins those that are left out: names that have them, such as those
  // of types, need the wildcard for one character.
  Words selecting_words(const Words& arguments, const std::string& name,
                        const std::vector<std::string>& /*cases*/) const override {
    FilteredArguments given(arguments);
    std::erase_if(given.others, [](const std::string& word) { return word.starts_with(kFilter); });
    std::string pattern = name;
    std::replace_if(
        pattern.begin(), pattern.end(), [](char c) { return c == ':' || c == '-'; }, '?');
    given.others.push_back(std::string(kFilter) + pattern);
    return given.others;
  }
};

}  // namespace

std::unique_ptr<TestFramework> make_google_test() { return std::make_unique<GoogleTest>(); }

}  // namespace ravel
