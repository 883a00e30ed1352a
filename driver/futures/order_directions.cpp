// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/order_directions.h"

#include <algorithm>
#include <utility>

namespace ravel {

std::vector<std::uint64_t> directions_for(const ObservedExecution& seen, const std::vector<std::size_t>& order) {
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ObservedEvent& event = seen.events[order[i]];
    for (std::size_t answer = 0; answer < event.answers.size(); ++answer) {
      if (event.answers[answer] == 0) continue;
      directions.push_back({event.task(), event.number, DirectionKind::environment, static_cast<std::uint16_t>(answer),
                            event.answers[answer]});
    }
    if (i + 1 < order.size()) {
      directions.push_back({event.task(), event.number, DirectionKind::go_to, 0, seen.events[order[i + 1]].task()});
    }
  }
  std::sort(directions.begin(), directions.end());
  std::vector<std::uint64_t> words;
  for (const Direction& direction : directions) {
    std::uint64_t two[kWordsPerDirection];
    write_direction(direction, two);
    words.insert(words.end(), std::begin(two), std::end(two));
  }
  return words;
}

std::vector<std::uint64_t> with_direction(const std::vector<std::uint64_t>& words, const Direction& added) {
  std::uint64_t two[kWordsPerDirection];
  write_direction(added, two);
  // Words are in ascending order of place and kind.
  std::size_t at = 0;
  while (at < words.size() && std::pair(words[at], words[at + 1]) < std::pair(two[0], two[1])) at += kWordsPerDirection;
  std::vector<std::uint64_t> result = words;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(at), std::begin(two), std::end(two));
  return result;
}

}  // namespace ravel
