// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/log_match.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace ravel {

LogMatch::LogMatch(const ExecutionLog& here, const ExecutionLog& there)
    : there_(here.events().size(), kNoEvent), here_(there.events().size(), kNoEvent) {
  for (TaskId task = 0; task < std::min(here.tasks(), there.tasks()); ++task) match_task(here, there, task);
}

// The longest common sequence of what the task did, but first of all how far it did the same: where it goes another
// way, the last thing it read is the one that sent it there, also in a loop that ends the same way later.
void LogMatch::match_task(const ExecutionLog& here, const ExecutionLog& there, TaskId task) {
  constexpr std::size_t kMostCells = 4'000'000;
  std::span<const std::size_t> mine = here.of_task(task);
  std::span<const std::size_t> its = there.of_task(task);
  const auto same = [&](std::size_t a, std::size_t b) { return here.at(a).code == there.at(b).code; };
  while (!mine.empty() && !its.empty() && same(mine.front(), its.front())) {
    pair(mine.front(), its.front());
    mine = mine.subspan(1);
    its = its.subspan(1);
  }
  while (!mine.empty() && !its.empty() && mine.size() * its.size() > kMostCells && same(mine.back(), its.back())) {
    pair(mine.back(), its.back());
    mine = mine.first(mine.size() - 1);
    its = its.first(its.size() - 1);
  }
  if (mine.size() * its.size() > kMostCells) return;
  const std::size_t width = its.size() + 1;
  std::vector<std::uint32_t> longest((mine.size() + 1) * width, 0);  // from these events on
  for (std::size_t i = mine.size(); i-- > 0;) {
    for (std::size_t k = its.size(); k-- > 0;) {
      longest[i * width + k] = same(mine[i], its[k])
                                   ? longest[(i + 1) * width + k + 1] + 1
                                   : std::max(longest[(i + 1) * width + k], longest[i * width + k + 1]);
    }
  }
  for (std::size_t i = 0, k = 0; i < mine.size() && k < its.size();) {
    if (same(mine[i], its[k])) {
      pair(mine[i++], its[k++]);
    } else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1]) {
      ++i;
    } else {
      ++k;
    }
  }
}

}  // namespace ravel
