// SPDX-License-Identifier: Apache-2.0
#include "reports/timeline.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ravel {
namespace {

bool is_wait(SwitchReason reason) {
  return reason == SwitchReason::blocked || reason == SwitchReason::waits || reason == SwitchReason::sleeps ||
         reason == SwitchReason::spins;
}

// The steps of one task, as indices.
class Lane {
 public:
  Lane(const std::vector<ExplainedStep>& steps, Timeline& result) : steps_(steps), result_(result) {}

  void add(std::size_t index) {
    const ExplainedStep& step = steps_[index];
    // Each step says what was held when it was made: what is new was taken by the step before.
    std::vector<std::string> gone;
    for (const auto& [lock, since] : held_) {
      if (std::find(step.held.begin(), step.held.end(), lock) == step.held.end()) gone.push_back(lock);
    }
    for (const std::string& lock : gone) end(lock, last_.value_or(index));
    for (const std::string& lock : step.held) held_.try_emplace(lock, last_.value_or(index));
    if (last_) end_wait(index);
    last_ = index;
  }

  void finish() {
    if (!last_) return;
    const ExplainedStep& step = steps_[*last_];
    if (releases_lock(step.kind)) end(step.object, *last_);
    if (!step.releases.empty()) end(step.releases, *last_);
    if (waits_for_lock(step.kind)) held_.try_emplace(step.object, *last_);
    const bool ended = step.kind == OperationKind::task_end || step.kind == OperationKind::program_exit;
    while (!held_.empty()) end(held_.begin()->first, ended ? *last_ : steps_.size());
    if (!ended) end_wait(steps_.size());
  }

 private:
  void end(std::string lock, std::size_t at) {
    const auto since = held_.find(lock);
    if (since == held_.end()) return;
    result_.held.push_back({steps_[*last_].task, std::move(lock), since->second, at, kNoTask});
    held_.erase(since);
  }

  void end_wait(std::size_t at) {
    const ExplainedStep& step = steps_[*last_];
    if (is_wait(step.leaves)) result_.waits.push_back({step.task, step.leaves_for, *last_, at, step.holder});
  }

  const std::vector<ExplainedStep>& steps_;
  Timeline& result_;
  std::optional<std::size_t> last_;
  std::map<std::string, std::size_t> held_;  // since which step
};

}  // namespace

Timeline timeline_of(const std::vector<ExplainedStep>& steps) {
  Timeline result;
  std::map<TaskId, Lane> lanes;
  for (std::size_t i = 0; i < steps.size(); ++i) lanes.try_emplace(steps[i].task, steps, result).first->second.add(i);
  for (auto& [task, lane] : lanes) lane.finish();
  const auto earlier = [](const TimelineSpan& a, const TimelineSpan& b) { return a.first < b.first; };
  std::stable_sort(result.held.begin(), result.held.end(), earlier);
  std::stable_sort(result.waits.begin(), result.waits.end(), earlier);
  return result;
}

}  // namespace ravel
