// SPDX-License-Identifier: Apache-2.0
// Conflicts: which steps of a trace could matter to another task, and therefore where preempting a task can show
// something new. Thread safety: immutable after construction.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/findings/trial.h"

namespace ravel {

// A place at which a task can be preempted, and by which task.
struct PreemptionPoint {
  TaskId task = 0;
  std::uint32_t step = 0;  // steps the task has made by then
  TaskId next = 0;
  std::size_t at = 0;  // index in the trace: the step of `task` that would come later
  // How many touch the object there, and whether `next` does the same with it: the smaller, the more promising.
  std::pair<std::size_t, bool> promise = {0, false};
};

class Conflicts {
 public:
  explicit Conflicts(const std::vector<TraceEvent>& trace);

  // The nearest later step of another task that conflicts with step `index`; trace.size() when there is none.
  std::size_t next_conflict(std::size_t index) const;
  // The nearest earlier one.
  std::size_t previous_conflict(std::size_t index) const;

  // Places before and after steps that conflict with a step of another task, from step `from` on: first those at
  // objects that few touch, and of these the last first. A loop contributes only its first and last rounds, and of
  // tasks that do the same only the first and the last ones, except within `near` steps of a preemption in the trace.
  std::vector<PreemptionPoint> points(std::size_t from, std::uint32_t near) const;

 private:
  struct Touch {
    std::size_t index;
    bool writes;
  };
  static std::uint64_t key_of(const Operation& operation);
  static bool writes(const Operation& operation);

  const std::vector<TraceEvent>& trace_;
  std::vector<std::uint32_t> own_;
  std::unordered_map<std::uint64_t, std::vector<Touch>> touches_;  // by object, in order
  // By object: of touches by the same task that conflict with the same operations, the first. A loop may touch an
  // object a million times.
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> first_touches_;
};

}  // namespace ravel
