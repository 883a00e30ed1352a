// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/race_file_fuzz.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "driver/race_tests/race_file.h"

namespace ravel {

void check_race_file(std::string_view text) {
  const Result<RaceTest> result = parse_race_test(text, "input", "name");
  if (!result.is_ok()) {
    const Status& status = result.status();
    RAVEL_CHECK(!status.what().empty() && !status.advice().empty(), "a refusal must be explained");
    RAVEL_CHECK(std::none_of(status.what().begin(), status.what().end(), [](char c) { return c == '\n' || c == '\r'; }),
                "an explanation is one line");
    RAVEL_CHECK(status.what().size() < 300, "an explanation is short");
    return;
  }
  const std::string written = race_file_text(result.value());
  Result<RaceTest> again = parse_race_test(written, "input", "name");
  RAVEL_CHECK(again.is_ok(), "what was read must be writable");
  RAVEL_CHECK(race_file_text(again.value()) == written, "writing must be stable");
  RAVEL_CHECK(again.value().arguments == result.value().arguments, "arguments must survive a round trip");
  RAVEL_CHECK(again.value().actions.size() == result.value().actions.size(), "actions must survive a round trip");
  for (std::size_t i = 0; i < result.value().actions.size(); ++i) {
    Action& action = again.value().actions[i];
    action.line = result.value().actions[i].line;
    RAVEL_CHECK(action == result.value().actions[i], "an action must survive a round trip");
  }
}

}  // namespace ravel

#ifdef RAVEL_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ravel::check_race_file({reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
