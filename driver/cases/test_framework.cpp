// SPDX-License-Identifier: Apache-2.0
#include "driver/cases/test_framework.h"

#include <utility>

#include "reports/text_lines.h"

namespace ravel {

FilteredArguments::FilteredArguments(const TestFramework::Words& arguments) : others(arguments) {
  if (others.empty() || others.front().empty() || others.front().starts_with('-')) return;
  filter = others.front();
  others.erase(others.begin());
}

std::unique_ptr<TestFramework> framework_that_answers(std::string_view answer) {
  for (const std::string_view line : lines_of(answer)) {
    if (line.starts_with("This program contains tests written using Google Test")) return make_google_test();
    if (line.starts_with("[doctest] doctest version is")) return make_doctest();
    // "Catch v2.13.10", "Catch2 v3.4.0"
    if (line.starts_with("Catch v2.")) return make_catch2(2);
    if (line.starts_with("Catch2 v3.") || line.starts_with("Catch v3.")) return make_catch2(3);
  }
  // The listing itself, from a program that answers --help in its own way.
  auto google_test = make_google_test();
  return google_test->cases_in(answer, {"--gtest_also_run_disabled_tests"}).empty() ? nullptr : std::move(google_test);
}

}  // namespace ravel
