// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/access_standing.h"

#include <algorithm>
#include <string_view>

#include "reports/finding_report.h"

namespace ravel {
namespace {

bool is_users(const Frame& frame) { return !is_library_frame(frame) && frame.function != "??"; }

bool destroys(const Frame& frame) { return frame.function.find('~') != std::string::npos; }

}  // namespace

bool is_bookkeeping(const Frame& frame) {
  if (frame.function.find("std::_Sp_counted_base") != std::string::npos) return true;
  constexpr std::string_view kHeaders[] = {"/bits/semaphore_base.h",
                                           "/bits/atomic_wait.h",
                                           "/bits/atomic_timed_wait.h",
                                           "/semaphore",
                                           "/latch",
                                           "/barrier",
                                           "/mutex",
                                           "/condition_variable",
                                           "/shared_mutex",
                                           "/future",
                                           "/stop_token",
                                           "/__atomic/",
                                           "/__semaphore/"};
  if (frame.file.find("/include/") == std::string::npos) return false;
  return std::any_of(std::begin(kHeaders), std::end(kHeaders), [&](std::string_view header) {
    return header.ends_with('/') ? frame.file.find(header) != std::string::npos : frame.file.ends_with(header);
  });
}

const StackRecord& stack_of(const ExecutionRecord& record, std::size_t place) {
  static const StackRecord kNone;
  if (place < record.trace.size()) return place < record.step_stacks.size() ? record.step_stacks[place] : kNone;
  const std::size_t access = place - record.trace.size();
  return access < record.access_stacks.size() ? record.access_stacks[access] : kNone;
}

Standing AccessStanding::of(const LoggedEvent& event, const ExecutionRecord& record) {
  const auto [entry, is_new] = known_.try_emplace(event.code);
  if (is_new) entry->second = find(event.operation, stack_of(record, event.place));
  return entry->second;
}

Standing AccessStanding::find(const Operation& operation, const StackRecord& stack) {
  std::vector<Frame> frames;
  const auto add = [&](std::uint64_t address) {
    const std::vector<Frame>& here = symbols_.code(address);
    frames.insert(frames.end(), here.begin(), here.end());
  };
  if (stack.count == 0) add(operation.pc);
  for (std::size_t i = 0; i < std::min<std::size_t>(stack.count, kMaxFrames); ++i) add(stack.frames[i]);
  const auto users = std::find_if(frames.begin(), frames.end(), is_users);
  if (users == frames.end()) return Standing::nowhere;
  if (std::any_of(frames.begin(), users, is_bookkeeping)) return Standing::bookkeeping;
  return std::any_of(frames.begin(), std::next(users), destroys) ? Standing::destruction : Standing::data;
}

}  // namespace ravel
