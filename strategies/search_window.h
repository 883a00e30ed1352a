// SPDX-License-Identifier: Apache-2.0
// SearchWindow: the part of an execution that an exhaustive search is limited to: two calls, each by a task of its own.
// Decisions lead to the point where the tasks are about to make the calls; from there on the two tasks alone run, each
// until its call is over, and the others only when neither of the two can. What follows is not searched.
//
// Who calls it: dpor, whose planner and chooser agree on it by these functions. make_window_planner() is in dpor.cpp.
// Thread safety: plain data.
#pragma once

#include <ravel/strategy.h>

#include <cstdint>
#include <span>

#ifndef RAVEL_IN_TARGET
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>
#endif

namespace ravel {

// A call that begins and ends with a step (CallPoints).
struct WindowCall {
  TaskId task = 0;
  std::uint32_t depth = 0;  // Operation::value of both steps

  bool ends_with(const Operation& operation) const {
    return operation.kind == OperationKind::call_end && operation.task == task && operation.value == depth;
  }
};

// Which tasks may run: the chooser's side.
class WindowFocus {
 public:
  static constexpr std::size_t kDetails = 5;

  // `details`: as window_details() made them, or none.
  void begin(std::span<const std::uint64_t> details) {
    active_ = details.size() >= kDetails;
    steps_ = 0;
    if (!active_) return;
    after_ = details[0];
    for (unsigned i = 0; i < 2; ++i) {
      call_[i] = {static_cast<TaskId>(details[1 + 2 * i]), static_cast<std::uint32_t>(details[2 + 2 * i])};
      over_[i] = false;
    }
  }

  void on_pending(const Operation& operation) {
    if (is_active()) look(operation);
  }
  // A call may have come to its end before the window began.
  void on_step(const Operation& operation) {
    if (is_active()) look(operation);
    ++steps_;
  }

  bool is_active() const { return active_ && steps_ >= after_; }
  bool wants(TaskId task) const { return (task == call_[0].task && !over_[0]) || (task == call_[1].task && !over_[1]); }
  bool wants_any_of(std::span<const TaskId> tasks) const {
    for (const TaskId task : tasks) {
      if (wants(task)) return true;
    }
    return false;
  }

 private:
  void look(const Operation& operation) {
    for (unsigned i = 0; i < 2; ++i) over_[i] = over_[i] || call_[i].ends_with(operation);
    if (over_[0] && over_[1]) active_ = false;
  }

  bool active_ = false;
  bool over_[2] = {};
  std::uint64_t after_ = 0;  // steps
  std::uint64_t steps_ = 0;
  WindowCall call_[2] = {};
};

#ifndef RAVEL_IN_TARGET
struct SearchWindow {
  std::vector<DecisionRun> prefix;  // leads there
  std::uint64_t steps = 0;          // of the prefix
  WindowCall call[2];
};

inline std::vector<std::uint64_t> window_details(const SearchWindow& window) {
  return {window.steps, window.call[0].task, window.call[0].depth, window.call[1].task, window.call[1].depth};
}

// An execution as if it consisted of the window alone. The view that it was made from must outlive it.
class WindowView {
 public:
  WindowView(const SearchWindow& window, const ExecutionView& whole)
      : summary_(whole.summary), waiting_(whole.waiting) {
    const std::size_t begin = std::min<std::size_t>(window.steps, whole.trace.size());
    const std::size_t end = end_of(window, whole.trace, begin);
    trace_.assign(whole.trace.begin() + static_cast<std::ptrdiff_t>(begin),
                  whole.trace.begin() + static_cast<std::ptrdiff_t>(end));
    for (TraceEvent& event : trace_) event.store = event.store > begin ? event.store - begin : 0;
    for (OfferedChoice choice : whole.offered) {
      if (choice.step <= begin || choice.step > end) continue;
      choice.step -= begin;
      offered_.push_back(choice);
    }
    failed_ = whole.failed;
    summary_.steps = end - begin;
    summary_.waiting_step -= std::min<std::uint64_t>(summary_.waiting_step, begin);
    if (end == whole.trace.size()) return;
    // Whatever came of it afterwards.
    summary_.outcome = Outcome::ended;
    summary_.trace_full = 0;
    waiting_ = {};
  }

  ExecutionView view() const { return {summary_, trace_, offered_, waiting_, {}, 0, 0, false, failed_}; }

 private:
  // Behind the last step that one of the calls made, if both have come to their end.
  static std::size_t end_of(const SearchWindow& window, std::span<const TraceEvent> trace, std::size_t begin) {
    std::size_t end = begin;
    for (const WindowCall& call : window.call) {
      std::size_t last = begin;
      std::size_t at = begin;
      while (at < trace.size() && !call.ends_with(trace[at].operation)) {
        if (trace[at].operation.task == call.task) last = at + 1;
        ++at;
      }
      if (at == trace.size()) return at;
      end = std::max(end, last);
    }
    return end;
  }

  ExecutionSummary summary_;
  std::vector<TraceEvent> trace_;
  std::vector<OfferedChoice> offered_;
  std::span<const Operation> waiting_;
  bool failed_ = false;
};

// dpor within the window. It finishes early, and is not complete, when the prefix does not lead there, or when an
// execution has found scheduling points that the prefix does not know of.
std::unique_ptr<Planner> make_window_planner(std::uint64_t seed, SearchWindow window);
#endif

}  // namespace ravel
