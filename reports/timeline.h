// SPDX-License-Identifier: Apache-2.0
// Timeline: which locks a task held and what it waited for, as spans of an explained execution. Made for reports that
// draw time: a page, a trace viewer. Thread safety: plain data, and a pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/explanation.h"

namespace ravel {

// Indices into the steps; from the end of step `first` to the beginning of step `last`.
struct TimelineSpan {
  TaskId task = kNoTask;
  std::string object;  // the lock, or what it waits for; may be empty for a wait
  std::size_t first = 0;
  std::size_t last = 0;     // the number of steps: until the end
  TaskId holder = kNoTask;  // of a wait for a lock

  friend bool operator==(const TimelineSpan&, const TimelineSpan&) = default;
};

struct Timeline {
  std::vector<TimelineSpan> held;
  std::vector<TimelineSpan> waits;
};

Timeline timeline_of(const std::vector<ExplainedStep>& steps);

}  // namespace ravel
