// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/schedule_reader_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "trace/schedule_format.h"
#include "trace/schedule_reader.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

void check_answer(std::string_view text) {
  const Result<Schedule> result = parse_schedule(text, "input");
  if (!result.is_ok()) {
    const Status& status = result.status();
    RAVEL_CHECK(!status.what().empty() && !status.advice().empty(), "a refusal must be explained");
    RAVEL_CHECK(status.what().find('\n') == std::string::npos, "an explanation is one line");
    RAVEL_CHECK(status.what().size() < 300, "an explanation is short");
    return;
  }
  const std::string written = format_schedule(result.value());
  const Result<Schedule> again = parse_schedule(written);
  RAVEL_CHECK(again.is_ok(), "what was read must be writable");
  RAVEL_CHECK(format_schedule(again.value()) == written, "writing must be stable");
  RAVEL_CHECK(again.value().decisions == result.value().decisions, "decisions must survive a round trip");
  RAVEL_CHECK(again.value().operations == result.value().operations, "operations must survive a round trip");
}

}  // namespace

void check_schedule_reader(std::string_view text) {
  check_answer(text);

  // Behind the checksum lies the parser; a fuzzer would need luck to get there, so the input is also given with the
  // right one.
  std::string sealed(text.substr(0, text.rfind("\nend ") == text.npos ? text.size() : text.rfind("\nend ") + 1));
  if (!sealed.ends_with('\n')) sealed += '\n';
  const std::uint64_t checksum = schedule_checksum(sealed);
  sealed += "end ";
  for (int shift = 60; shift >= 0; shift -= 4) sealed += "0123456789abcdef"[(checksum >> shift) & 15];
  sealed += '\n';
  check_answer(sealed);
}

}  // namespace ravel

#ifdef RAVEL_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ravel::check_schedule_reader({reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
