// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/trial.h"

#include <algorithm>
#include <map>

namespace ravel {

Directions directions_of(const std::vector<DecisionRun>& decisions, const std::vector<TraceEvent>& trace) {
  Directions directions;
  std::map<TaskId, std::uint32_t> made;
  TaskId current = 0;
  std::uint16_t asked = 0;
  for (const DecisionRun& run : decisions) {
    switch (run.kind) {
      case DecisionKind::task:
        if (run.value != current) {
          directions.push_back({current, made[current], DirectionKind::go_to, 0, run.value});
        }
        current = run.value;
        made[current] += run.count;
        asked = 0;
        break;
      case DecisionKind::environment:
        if (run.value != 0) {
          directions.push_back({current, made[current], DirectionKind::environment, asked, run.value});
        }
        ++asked;
        break;
      case DecisionKind::reads_from:
        directions.push_back({current, made[current], DirectionKind::store, 0, run.value});
        break;
    }
  }
  const std::vector<std::uint32_t> own = own_steps_of(trace);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if ((trace[i].flags & kTraceYielded) == 0) continue;
    const TaskId task = trace[i].operation.task;
    directions.push_back({task, own[i], DirectionKind::go_to, 0, task});
  }
  std::sort(directions.begin(), directions.end());
  return directions;
}

std::vector<std::uint64_t> details_of(const Directions& directions) {
  std::vector<std::uint64_t> details;
  details.reserve((directions.size() + 1) * kWordsPerDirection);
  std::uint64_t words[kWordsPerDirection];
  for (const Direction& direction : directions) {
    write_direction(direction, words);
    details.insert(details.end(), std::begin(words), std::end(words));
  }
  // A place that no task reaches: it keeps the list from being empty.
  write_direction({kNoTask, 0, DirectionKind::go_to, 0, 0}, words);
  details.insert(details.end(), std::begin(words), std::end(words));
  return details;
}

std::vector<std::uint32_t> own_steps_of(const std::vector<TraceEvent>& trace) {
  std::vector<std::uint32_t> own;
  own.reserve(trace.size());
  std::map<TaskId, std::uint32_t> made;
  for (const TraceEvent& event : trace) own.push_back(made[event.operation.task]++);
  return own;
}

}  // namespace ravel
