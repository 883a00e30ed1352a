// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/crash_text_fuzz.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "driver/crash/crashing_class.h"
#include "driver/crash/stack_text.h"

namespace ravel {
namespace {

bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
}

void check_frames(CrashThread thread) {
  std::string text;
  for (std::size_t i = 0; i < thread.frames.size(); ++i) {
    CrashFrame& frame = thread.frames[i];
    RAVEL_CHECK(!frame.function.empty() && (frame.line != 0) == !frame.file.empty(), "a frame must be whole");
    const std::string printed = frame_text(frame, i);
    RAVEL_CHECK(is_one_line(printed), "a frame is one line");
    text += printed + "\n";
    frame.address.reset();
    frame.arguments.clear();
  }
  const Result<CrashReport> again = parse_crash_text(text, "again");
  RAVEL_CHECK(again.is_ok(), "what is printed must be readable");
  RAVEL_CHECK(again.value().threads.size() == 1, "a stack must stay one");
  RAVEL_CHECK(again.value().threads[0].frames == thread.frames, "frames must survive a round trip");
}

}  // namespace

void check_crash_text(std::string_view text) {
  const Result<CrashReport> result = parse_crash_text(text, "input");
  if (!result.is_ok()) {
    const Status& status = result.status();
    RAVEL_CHECK(!status.what().empty() && !status.advice().empty(), "a refusal must be explained");
    RAVEL_CHECK(is_one_line(status.what()) && status.what().size() < 300, "an explanation is one short line");
    return;
  }
  RAVEL_CHECK(!result.value().threads.empty(), "a report has a stack");
  for (const CrashThread& thread : result.value().threads) {
    RAVEL_CHECK(!thread.frames.empty(), "a stack has frames");
    check_frames(thread);
  }
  const CrashingClass found = infer_class(result.value());
  RAVEL_CHECK(!found.sentence.empty() && is_one_line(found.sentence), "the class must be explained");
  if (found.found()) {
    RAVEL_CHECK(found.thread < result.value().threads.size(), "the thread must exist");
    const CrashThread& thread = result.value().threads[found.thread];
    RAVEL_CHECK(found.first <= found.entry && found.entry < thread.frames.size(), "the frames must exist");
    RAVEL_CHECK(thread.frames[found.entry].name.scope() == found.class_name, "the method must be of the class");
  }
}

}  // namespace ravel

#ifdef RAVEL_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ravel::check_crash_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
