// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/crash_target.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace ravel {
namespace {

enum class Sort : std::uint8_t { unknown, memory, assertion, exception, aborted, deadlock, other };

Sort sort_of(FindingKind kind, bool aborts) {
  switch (kind) {
    case FindingKind::use_after_free:
    case FindingKind::double_free:
    case FindingKind::bad_free:
    case FindingKind::uninitialised_read:
      return Sort::memory;
    case FindingKind::signal:
      return aborts ? Sort::aborted : Sort::memory;
    case FindingKind::assertion:
      return Sort::assertion;
    case FindingKind::uncaught_exception:
      return Sort::exception;
    case FindingKind::abort:
      return Sort::aborted;
    case FindingKind::deadlock:
    case FindingKind::lost_wakeup:
    case FindingKind::livelock:
      return Sort::deadlock;
    default:
      return Sort::other;
  }
}

Sort sort_of(const CrashFailure& failure) {
  const bool aborts = failure.signal == "SIGABRT";
  if (failure.kind) return sort_of(*failure.kind, aborts);
  if (aborts) return Sort::aborted;
  return failure.signal.empty() ? Sort::unknown : Sort::memory;
}

std::string function_key(const FunctionName& name) {
  const std::string scope = without_arguments(name.scope());
  return scope.empty() ? name.method() : scope + "::" + name.method();
}

// "int, std::map<int, int> const&" -> 2. Commas in brackets and quotes belong to one of them.
std::size_t count_listed(std::string_view text) {
  if (text.empty()) return 0;
  std::size_t count = 1;
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) ++count;
  }
  return count;
}

// Of the user's code, from where a signal interrupted it to the frame `entry`.
std::vector<StackPlace> places_until(const std::vector<CrashFrame>& frames, std::size_t entry) {
  std::size_t first = 0;
  for (std::size_t i = 0; i <= entry; ++i) {
    if (frames[i].signal_handler) first = i + 1;
  }
  std::vector<StackPlace> places;
  for (std::size_t i = first; i <= entry; ++i) {
    if (is_foreign_frame(frames[i])) continue;
    places.push_back({function_key(frames[i].name), frames[i].file, frames[i].line});
  }
  return places;
}

bool is_same_file(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || base_name(a) == base_name(b);
}

}  // namespace

bool CrashTarget::fails_by_itself() const {
  if (is_deadlock()) return true;
  const Sort sort = sort_of(failure);
  return sort == Sort::exception || sort == Sort::aborted || sort == Sort::assertion || sort == Sort::unknown;
}

bool CrashTarget::may_be_invalid_access() const {
  if (is_deadlock()) return false;
  const Sort sort = sort_of(failure);
  return sort == Sort::memory || sort == Sort::unknown || sort == Sort::aborted;
}

bool CrashTarget::is_same_sort(const ResolvedFinding& finding) const {
  const Sort wanted = sort_of(failure);
  const Sort got = sort_of(finding.kind, finding.signal_number == 6);
  if (got == Sort::other) return false;
  if (wanted == Sort::unknown || wanted == got) return true;
  // SIGABRT alone is what an assertion, an exception that nobody catches and a damaged heap look like from outside.
  if (wanted == Sort::aborted) return got == Sort::assertion || got == Sort::exception || got == Sort::memory;
  return got == Sort::aborted && (wanted == Sort::assertion || wanted == Sort::exception);
}

StackMatch CrashTarget::match(std::span<const StackPlace* const> stack) const {
  if (places.empty() || stack.size() < places.size()) return StackMatch::none;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].function != stack[i]->function) return StackMatch::none;
  }
  const StackPlace& wanted = places.front();
  const StackPlace& got = *stack.front();
  const bool line_known = wanted.line != 0 && got.line != 0;
  const bool same = !line_known || (wanted.line == got.line && is_same_file(wanted.file, got.file));
  return same ? StackMatch::exact : StackMatch::functions;
}

StackMatch CrashTarget::match(std::span<const StackPlace> stack) const {
  std::vector<const StackPlace*> pointers;
  for (const StackPlace& place : stack) pointers.push_back(&place);
  return match(pointers);
}

CrashTarget CrashTarget::from_other_side() const {
  CrashTarget other = *this;
  other.places.swap(other.other_places);
  other.parameters.reset();
  return other;
}

// Each of the two stacks is that of one of the tasks.
StackMatch CrashTarget::match_deadlock(const ResolvedFinding& finding) const {
  const CrashTarget other = from_other_side();
  StackMatch best = StackMatch::none;
  for (const ResolvedStack& one : finding.stacks) {
    for (const ResolvedStack& two : finding.stacks) {
      if (one.task == two.task) continue;
      best = std::max(best, std::min(match(places_of(one.whole)), other.match(places_of(two.whole))));
    }
  }
  return best;
}

StackMatch CrashTarget::match(const ResolvedFinding& finding) const {
  if (!is_same_sort(finding)) return StackMatch::none;
  if (is_deadlock()) return match_deadlock(finding);
  StackMatch best = StackMatch::none;
  for (const ResolvedStack& stack : finding.stacks) {
    best = std::max(best, match(places_of(stack.whole.empty() ? stack.frames : stack.whole)));
  }
  return best;
}

bool place_of(const Frame& frame, StackPlace& place) {
  CrashFrame crash_frame;
  static_cast<Frame&>(crash_frame) = frame;
  set_function(crash_frame, frame.function);
  if (is_foreign_frame(crash_frame)) return false;
  place = {function_key(crash_frame.name), frame.file, frame.line};
  return true;
}

std::vector<StackPlace> places_of(std::span<const Frame> frames) {
  std::vector<StackPlace> places;
  StackPlace place;
  for (const Frame& frame : frames) {
    if (place_of(frame, place)) places.push_back(place);
  }
  return places;
}

const std::vector<StackPlace>& PlaceTable::at(std::uint64_t pc) {
  const auto [entry, is_new] = known_.try_emplace(pc);
  if (is_new) entry->second = places_of(symbols_.code(pc, AddressKind::return_address));
  return entry->second;
}

std::optional<std::size_t> shown_parameters(const CrashFrame& frame) {
  if (!frame.known()) return std::nullopt;
  const std::optional<std::string>& types = frame.name.parts.back().parameters;
  if (types && *types != "void") return count_listed(*types);
  if (types) return 0;
  const bool has_this = frame.arguments.starts_with("this=");
  if (frame.arguments.empty()) return std::nullopt;
  return count_listed(frame.arguments) - (has_this ? 1 : 0);
}

CrashTarget target_of(const CrashReport& report, const CrashingClass& crashing) {
  CrashTarget target;
  target.failure = report.failure;
  const std::vector<CrashFrame>& frames = report.threads[crashing.thread].frames;
  target.parameters = shown_parameters(frames[crashing.entry]);
  target.places = places_until(frames, crashing.entry);
  return target;
}

Result<CrashTarget> deadlock_target_of(const CrashReport& report, const CrashingClass& crashing,
                                       const ClassWish& wish) {
  CrashTarget target = target_of(report, crashing);
  target.failure.kind = FindingKind::deadlock;
  for (std::size_t i = 0; i < report.threads.size(); ++i) {
    const std::vector<CrashFrame>& frames = report.threads[i].frames;
    if (i == crashing.thread) continue;
    for (std::size_t entry = frames.size(); entry-- > 0;) {
      if (class_of(frames[entry], wish) != crashing.class_name) continue;
      target.other_places = places_until(frames, entry);
      return target;
    }
  }
  return Status::trouble(fmt::format("only one thread is in {}", crashing.class_name),
                         "a deadlock needs the stacks of two: in gdb, thread apply all bt");
}

}  // namespace ravel
