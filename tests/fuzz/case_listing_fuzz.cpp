// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/case_listing_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "driver/cases/test_framework.h"

namespace ravel {
namespace {

// Whether a character of the pattern means something to its framework. Catch2 knows a backslash as an escape.
bool has_unescaped(std::string_view pattern, std::string_view special, bool knows_escapes) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (knows_escapes && pattern[i] == '\\') {
      ++i;
    } else if (special.find(pattern[i]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

void check(const TestFramework& framework, std::string_view text, std::string_view before, std::string_view special,
           bool knows_escapes) {
  const std::vector<std::string> cases = framework.cases_in(text, {});
  for (const std::string& name : cases) {
    RAVEL_CHECK(!name.empty() && name.find('\n') == std::string::npos, "a case has a name of one line");
    const TestFramework::Words words = framework.selecting_words({}, name, {});
    RAVEL_CHECK(words.size() == 1 && words[0].starts_with(before), "one word selects a case");
    const std::string_view pattern = std::string_view(words[0]).substr(before.size());
    RAVEL_CHECK(pattern.size() >= name.size(), "a pattern has all of the name");
    RAVEL_CHECK(!has_unescaped(pattern, special, knows_escapes), "a name is one pattern");
  }
}

}  // namespace

void check_case_listing(std::string_view text) {
  check(*make_google_test(), text, "--gtest_filter=", ":-", false);
  check(*make_catch2(2), text, "", ",[]\"", true);
  check(*make_doctest(), text, "--dt-test-case=", ",\\", false);
  framework_that_answers(text);
}

}  // namespace ravel

#ifdef RAVEL_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ravel::check_case_listing({reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
