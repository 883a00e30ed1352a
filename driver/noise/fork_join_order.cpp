// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/fork_join_order.h"

#include <algorithm>

namespace ravel {

void ForkJoinOrder::created(TaskId task, TaskId child) {
  if (++stretches_ > kMostStretches || child <= task) return;
  Thread& one = threads_[child];
  one.creator = task;
  one.created_in = stretch_of(task);
  threads_[task].cuts.push_back({child, false});
}

void ForkJoinOrder::joined(TaskId task, TaskId child) {
  if (++stretches_ > kMostStretches || child == task) return;
  threads_[task].cuts.push_back({child, true});
}

std::uint32_t ForkJoinOrder::stretch_of(TaskId task) const {
  const auto found = threads_.find(task);
  return found == threads_.end() ? 0 : static_cast<std::uint32_t>(found->second.cuts.size());
}

bool ForkJoinOrder::is_before(TaskId a, std::uint32_t stretch_a, TaskId b, std::uint32_t stretch_b) {
  if (stretches_ > kMostStretches) return false;
  if (a == b) return stretch_a < stretch_b;
  const Past& past = past_of(b, stretch_b);
  const auto found = past.find(a);
  return found != past.end() && stretch_a < found->second;
}

void ForkJoinOrder::merge(Past& into, const Past& other) {
  for (const auto& [task, stretches] : other) {
    std::uint32_t& mine = into[task];
    mine = std::max(mine, stretches);
  }
}

// Each lookup goes further back in the run: a thread is created before it does anything and joined after it has done
// everything. A record that says otherwise, from a target that died half-way, has no order there.
const ForkJoinOrder::Past& ForkJoinOrder::past_of(TaskId task, std::uint32_t stretch) {
  static const Past nothing;
  if (threads_[task].pasts.size() <= stretch && threads_[task].is_asked) return nothing;
  threads_[task].is_asked = true;
  while (threads_[task].pasts.size() <= stretch) {
    const auto number = static_cast<std::uint32_t>(threads_[task].pasts.size());
    const TaskId creator = threads_[task].creator;
    const std::uint32_t created_in = threads_[task].created_in;
    Past past;
    if (number == 0) {
      if (creator != kNoTask) {
        past = past_of(creator, created_in);
        past[creator] = created_in + 1;
      }
    } else {
      past = threads_[task].pasts[number - 1];
      const Cut cut = threads_[task].cuts[number - 1];
      if (cut.join) {
        const std::uint32_t last = stretch_of(cut.child);
        merge(past, past_of(cut.child, last));
        past[cut.child] = last + 1;
      }
    }
    threads_[task].pasts.push_back(std::move(past));
  }
  threads_[task].is_asked = false;
  return threads_[task].pasts[stretch];
}

}  // namespace ravel
