// SPDX-License-Identifier: Apache-2.0
// Frames as those write them who look at a dump of the process: coredumpctl, minidump_stackwalk, Android's debuggerd.
#include "driver/crash/frame_readers.h"
#include "driver/crash/scan_text.h"

namespace ravel {

// "0x000055d0c0ffee00 _ZN3app3runEv (prog + 0x12ab)", "0x00007f12 n/a (libc.so.6)"
std::optional<FrameLine> read_coredumpctl_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::coredumpctl;
  CrashFrame& frame = line.frame;
  frame.address = take_address(body);
  if (!frame.address || !take(body, " ")) return std::nullopt;
  body = trimmed(body);
  const auto group = take_last_group(body);
  constexpr std::string_view kPlus = " + 0x";
  const std::size_t plus = group ? group->rfind(kPlus) : std::string_view::npos;
  const auto offset =
      plus == std::string_view::npos ? std::nullopt : address_of(group->substr(plus + kPlus.size() - 2));
  // Before version 244 there were no offsets.
  const bool old = group && !offset && !body.empty() && !body.starts_with("in ") &&
                   group->find_first_of("=+ ") == std::string_view::npos && !group->empty();
  if (!offset && !old) return std::nullopt;
  set_module(frame, offset ? group->substr(0, plus) : *group, offset.value_or(0));
  set_function(frame, body);
  return line;
}

// "pc 00000000000a12b4  /data/app/libapp.so (app::run(int)+16) (BuildId: 12ab)"
std::optional<FrameLine> read_tombstone_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::tombstone;
  CrashFrame& frame = line.frame;
  if (!take(body, "pc ")) return std::nullopt;
  take(body, "0x");
  const auto pc = take_number<std::uint64_t>(body, 16);
  if (!pc || !body.starts_with(' ')) return std::nullopt;
  body = trimmed(body);
  std::string_view rest = body;
  if (auto group = take_last_group(rest); group && take(*group, "BuildId: ")) {
    frame.build_id = one_line(*group).find_first_not_of("0123456789abcdefABCDEF") == std::string::npos
                         ? std::string(trimmed(*group))
                         : std::string();
    body = rest;
  }
  set_function(frame, {});
  rest = body;
  if (const auto group = take_last_group(rest); group && !group->starts_with("offset ")) {
    std::string_view function = *group;
    const std::size_t plus = function.rfind('+');
    if (plus != std::string_view::npos && number_of<std::uint64_t>(function.substr(plus + 1))) {
      function = function.substr(0, plus);
    }
    set_function(frame, function);
    body = rest;
  }
  rest = body;
  if (const auto group = take_last_group(rest); group && group->starts_with("offset ")) body = rest;
  set_module(frame, body, *pc);
  return line;
}

// "prog!app::run(int) [run.cpp : 12 + 0x5]", "libc.so.6!abort + 0xdf", "libc.so.6 + 0x3c050"
std::optional<FrameLine> read_breakpad_frame(std::string_view body) {
  FrameLine line;
  line.format = CrashFormat::breakpad;
  CrashFrame& frame = line.frame;
  const std::size_t mark = body.find('!');
  constexpr std::string_view kPlus = " + 0x";
  const std::size_t plus = body.rfind(kPlus);
  if (plus == std::string_view::npos) return std::nullopt;
  if (body.ends_with(']')) {
    const std::size_t open = body.rfind(" [", plus);
    if (open == std::string_view::npos || mark == std::string_view::npos || mark > open) return std::nullopt;
    const std::string_view place = body.substr(open + 2, plus - open - 2);
    const std::size_t colon = place.rfind(" : ");
    const auto number = colon == std::string_view::npos ? std::nullopt : number_of(place.substr(colon + 3));
    if (!number) return std::nullopt;
    set_place(frame, place.substr(0, colon), *number);
    body = body.substr(0, open);
  } else {
    const auto offset = address_of(body.substr(plus + kPlus.size() - 2));
    if (!offset) return std::nullopt;
    body = body.substr(0, plus);
    if (mark == std::string_view::npos || mark > plus) {
      set_function(frame, {});
      set_module(frame, body, *offset);
      return line;
    }
  }
  set_module(frame, body.substr(0, mark), 0);
  set_function(frame, body.substr(mark + 1));
  return line;
}

}  // namespace ravel
