// SPDX-License-Identifier: Apache-2.0
// PS-Stack: alone, the crashing method must get to the point of failure with the stack of the crash. Where the failure
// is an assertion, an exception or an abort, the statement that fails is not reached by a call that ends well: then the
// function must be entered with that stack.
#include <algorithm>
#include <vector>

#include "driver/reproduce/prunings.h"

namespace ravel {
namespace {

// The functions that are being executed, outermost first, as the recorder saw them entered and left.
class ShadowStack {
 public:
  explicit ShadowStack(PlaceTable& table) : table_(table) {}

  void enter(std::uint64_t call) { callers_.push_back(call); }
  void leave() {
    if (!callers_.empty()) callers_.pop_back();
  }
  // Innermost first, without library code.
  const std::vector<const StackPlace*>& at(std::uint64_t pc) {
    places_.clear();
    add(pc);
    for (auto caller = callers_.rbegin(); caller != callers_.rend(); ++caller) add(*caller);
    return places_;
  }

 private:
  void add(std::uint64_t pc) {
    for (const StackPlace& place : table_.at(pc)) places_.push_back(&place);
  }

  PlaceTable& table_;
  std::vector<std::uint64_t> callers_;
  std::vector<const StackPlace*> places_;
};

// Where an event is on the way to the crash.
struct Way {
  std::size_t depth = 0;  // places of the target, from the outermost on, that the stack has
  bool at_line = false;   // the event itself is at the line of the last of them
};

Way way_of(const std::vector<const StackPlace*>& stack, const CrashTarget& target) {
  const std::size_t wanted = target.places.size();
  // Around the crashing method there is only the harness.
  const auto entry = std::find_if(stack.rbegin(), stack.rend(), [&](const StackPlace* place) {
    return place->function == target.places.back().function;
  });
  Way way;
  auto at = entry;
  for (; at != stack.rend() && way.depth < wanted; ++at, ++way.depth) {
    if ((*at)->function != target.places[wanted - 1 - way.depth].function) break;
  }
  if (way.depth == 0 || at != stack.rend()) return way;
  const std::uint32_t line = target.places[wanted - way.depth].line;
  way.at_line = line == 0 || line == stack.front()->line;
  return way;
}

}  // namespace

Reach reach_of(const CallRecord& crashing, const CrashTarget& target, PlaceTable& table) {
  const StackMatch needed = target.fails_by_itself() ? StackMatch::functions : StackMatch::exact;
  Reach reach;
  ShadowStack stack(table);
  std::uint64_t last_pc = 0;
  bool same_stack = false;
  StackMatch match = StackMatch::none;
  Way way;
  for (const CallEvent& event : crashing.events) {
    // The end of a function has a line, but nothing happens there.
    if (event.kind == CallEventKind::leave) {
      stack.leave();
      same_stack = false;
      continue;
    }
    // The same place again, with the same stack, has the same answer.
    if (!same_stack || event.pc != last_pc) {
      const std::vector<const StackPlace*>& now = stack.at(event.pc);
      match = target.match(now);
      way = way_of(now, target);
      reach.depth = std::max(reach.depth, std::min(way.depth, target.places.size() - 1));
      last_pc = event.pc;
      same_stack = true;
    }
    reach.reached = reach.reached || match >= needed;
    if (event.kind == CallEventKind::read && event.shared != 0) {
      // A statement that fails by itself says what was wrong; what was read before, in its function, made it so.
      const bool at_line = way.at_line || (needed == StackMatch::functions && match != StackMatch::none);
      if (at_line) reach.reads_at_lines.push_back(word_of(event));
      if (match >= StackMatch::functions) reach.reads_in_function.push_back(word_of(event));
    }
    if (event.kind == CallEventKind::enter) {
      stack.enter(event.pc);
      same_stack = false;
    }
  }
  if (reach.reached) reach.depth = target.places.size();
  make_set(reach.reads_at_lines);
  make_set(reach.reads_in_function);
  return reach;
}

bool ends_at_crash(const CallRecord& record, const CrashTarget& target, PlaceTable& table) {
  ShadowStack stack(table);
  StackMatch match = StackMatch::none;
  for (const CallEvent& event : record.events) {
    if (event.kind == CallEventKind::leave) {
      stack.leave();
    } else if (&event == &record.events.back()) {
      match = target.match(stack.at(event.pc));
    } else if (event.kind == CallEventKind::enter) {
      stack.enter(event.pc);
    }
  }
  return match == StackMatch::exact;
}

}  // namespace ravel
