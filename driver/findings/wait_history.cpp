// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/wait_history.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ravel {
namespace {

std::uint32_t most_woken_by(const Operation& operation) {
  if (operation.kind == OperationKind::condition_signal) return 1;
  if (operation.kind == OperationKind::condition_broadcast) return std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(operation.value, 0x7fffffff));
}

// A futex whose value has changed is not waited for: then the task goes on with something else.
bool goes_on_at_once(const std::vector<TraceEvent>& trace, std::size_t begin) {
  const Operation& mine = trace[begin].operation;
  if (mine.kind != OperationKind::futex_wait) return false;
  for (std::size_t i = begin + 1; i < trace.size(); ++i) {
    const Operation& operation = trace[i].operation;
    if (operation.task == mine.task) return !ends_wait(operation) || operation.object != mine.object;
  }
  return false;
}

}  // namespace

std::vector<GivenAnswer> answers_in(std::span<const DecisionRun> decisions) {
  std::vector<GivenAnswer> answers;
  std::size_t steps = 0;
  for (const DecisionRun& run : decisions) {
    if (run.kind == DecisionKind::task) steps += run.count;
    if (run.kind == DecisionKind::environment && steps > 0) answers.push_back({steps - 1, run.detail, run.value});
  }
  return answers;
}

WaitHistory::WaitHistory(const std::vector<TraceEvent>& trace, const std::vector<DecisionRun>& decisions) {
  const std::vector<GivenAnswer> answers = answers_in(decisions);
  auto answer = answers.begin();
  std::map<std::uint64_t, std::vector<std::size_t>> queues;  // by object, who waits in order of arrival
  std::map<TaskId, std::size_t> waiting;
  const auto leave_queue = [&](std::size_t span) {
    std::vector<std::size_t>& queue = queues[spans_[span].object];
    queue.erase(std::remove(queue.begin(), queue.end(), span), queue.end());
  };
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Operation& operation = trace[i].operation;
    std::vector<GivenAnswer> given;
    for (; answer != answers.end() && answer->step <= i; ++answer) given.push_back(*answer);
    if (begins_wait(operation) && !goes_on_at_once(trace, i)) {
      waiting[operation.task] = spans_.size();
      spans_.push_back({operation.task, operation.object, i});
      const bool spurious = std::any_of(given.begin(), given.end(), [](const GivenAnswer& one) {
        return one.kind == EnvironmentKind::spurious_wakeup && one.value == 1;
      });
      if (spurious) {
        spans_.back().how = WaitEnd::spurious;
      } else {
        queues[operation.object].push_back(spans_.size() - 1);
      }
    } else if (ends_wait(operation)) {
      const auto entry = waiting.find(operation.task);
      if (entry == waiting.end()) continue;
      WaitSpan& span = spans_[entry->second];
      span.end = i;
      if (span.how == WaitEnd::never) {
        span.how = WaitEnd::timed_out;
        leave_queue(entry->second);
      }
      waiting.erase(entry);
    } else if (notifies(operation.kind)) {
      Notification notification{i, operation.object, operation.kind == OperationKind::condition_broadcast};
      std::vector<std::size_t>& queue = queues[operation.object];
      notification.waited = queue;
      auto target = given.begin();
      for (std::uint32_t left = most_woken_by(operation); left > 0 && !queue.empty(); --left) {
        std::size_t chosen = 0;
        if (queue.size() > left) {
          target = std::find_if(target, given.end(),
                                [](const GivenAnswer& one) { return one.kind == EnvironmentKind::notify_target; });
          if (target != given.end()) chosen = std::min<std::size_t>((target++)->value, queue.size() - 1);
        }
        const std::size_t span = queue[chosen];
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(chosen));
        spans_[span].how = WaitEnd::notified;
        spans_[span].notification = notifications_.size();
        notification.woke.push_back(span);
      }
      notifications_.push_back(std::move(notification));
    }
  }
}

const WaitSpan* WaitHistory::last_of(TaskId task) const {
  for (auto span = spans_.rbegin(); span != spans_.rend(); ++span) {
    if (span->task == task) return span->how == WaitEnd::never ? &*span : nullptr;
  }
  return nullptr;
}

}  // namespace ravel
