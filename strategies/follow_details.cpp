// SPDX-License-Identifier: Apache-2.0
// From a record to the details of a plan. What would only mislead the chooser is left out: what happened while there
// was one thread (the engine has no points there), and the rounds of waiting loops (it makes as many as it needs).
#ifndef RAVEL_IN_TARGET
#include "strategies/follow_details.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "strategies/follow.h"
#include "strategies/task_paths.h"

namespace ravel {
namespace {

constexpr std::size_t kFewestRounds = 3;    // of a loop
constexpr std::ptrdiff_t kLongAlone = 512;  // events that would keep the chooser from finding what follows them
constexpr std::ptrdiff_t kKeptAlone = 128;  // of these
constexpr std::size_t kMostPlaces = std::size_t{1} << (64 - kFollowPlaceShift);
constexpr std::uint64_t kNoPath = 0;  // no task has it
constexpr std::size_t kAllRounds = std::numeric_limits<std::size_t>::max();

using Events = std::vector<RecordedEvent>;

Events in_order(const Recording& recording) {
  Events events;
  events.reserve(recording.events.size());
  for (const RecordedEvent& event : recording.events) {
    if (event.thread < recording.threads.size()) events.push_back(event);
  }
  std::stable_sort(events.begin(), events.end(), [](const RecordedEvent& a, const RecordedEvent& b) {
    return std::tie(a.clock, a.thread) < std::tie(b.clock, b.thread);
  });
  return events;
}

// Events [begin, end) of one thread, while no other is known to be alive: leaves out those up to and including its next
// creation of a thread. A few are kept unless they are the program's first: a thread may live on after its last event.
void append_alone(Events& kept, const Events& events, std::size_t begin, std::size_t end) {
  const auto first = events.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = events.begin() + static_cast<std::ptrdiff_t>(end);
  auto from = std::find_if(first, last, [](const auto& event) { return event.kind == OperationKind::task_create; });
  if (from != last) {
    ++from;
  } else if (end < events.size()) {
    from = last - std::min(last - first, kKeptAlone);
  } else {
    from = first;
  }
  if (begin > 0 && from - first < kLongAlone) from = first;
  kept.insert(kept.end(), from, last);
}

Events without_what_was_alone(const Events& events, std::size_t threads) {
  std::vector<std::size_t> first(threads, events.size());
  std::vector<std::size_t> last(threads, 0);
  for (std::size_t i = 0; i < events.size(); ++i) {
    first[events[i].thread] = std::min(first[events[i].thread], i);
    last[events[i].thread] = i;
  }
  Events kept;
  kept.reserve(events.size());
  std::size_t open = 0;  // threads in the middle of their events
  std::size_t created = 0;
  std::size_t started = 0;  // among those that were created
  for (std::size_t begin = 0; begin < events.size();) {
    const std::uint32_t thread = events[begin].thread;
    std::size_t end = begin;
    while (end < events.size() && events[end].thread == thread) ++end;
    const bool goes_on = first[thread] < begin;
    if (!goes_on && thread != 0) ++started;
    if (open == (goes_on ? 1U : 0U) && created <= started) {
      append_alone(kept, events, begin, end);
    } else {
      kept.insert(kept.end(), events.begin() + static_cast<std::ptrdiff_t>(begin),
                  events.begin() + static_cast<std::ptrdiff_t>(end));
    }
    for (std::size_t i = begin; i < end; ++i) created += events[i].kind == OperationKind::task_create ? 1 : 0;
    open += goes_on ? 0 : 1;
    if (last[thread] < end) --open;
    begin = end;
  }
  return kept;
}

// It changes nothing, so a task that does nothing else is waiting for another.
bool only_looks(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::atomic_load:
    case OperationKind::fence:
    case OperationKind::yield:
    case OperationKind::sleep:
    case OperationKind::semaphore_try_wait:
      return true;
    default:
      return tries_lock(kind);
  }
}

struct Entry {
  std::uint32_t order;  // place among all events
  std::uint32_t loop;
  std::uint32_t key;
  OperationKind kind;
  std::uint64_t object;
};
using Entries = std::vector<Entry>;

struct Loop {
  std::size_t period = 0;
  std::size_t rounds = 0;
};

// The loop that begins here, with the shortest rounds.
Loop loop_at(const Entries& entries, std::size_t begin) {
  for (std::size_t period = 1; period <= kFollowLongestPeriod; ++period) {
    std::size_t end = begin + period;
    while (end < entries.size() && entries[end].key == entries[end - period].key) ++end;
    if (end > entries.size()) break;
    if ((end - begin) / period >= kFewestRounds) return {period, (end - begin) / period};
  }
  return {};
}

// A loop over an array is work; one that reads the same memory each time waits.
bool waits(const Entries& entries, std::size_t begin, const Loop& loop) {
  for (std::size_t i = begin; i < begin + loop.period * loop.rounds; ++i) {
    if (!only_looks(entries[i].kind)) return false;
    if (i >= begin + loop.period && entries[i].object != entries[i - loop.period].object) return false;
  }
  return true;
}

// Waiting loops keep their first round and their last; others `rounds` at each end.
Entries folded(const Entries& entries, std::size_t rounds) {
  Entries kept;
  kept.reserve(entries.size());
  for (std::size_t begin = 0; begin < entries.size();) {
    const Loop loop = loop_at(entries, begin);
    if (loop.rounds == 0) {
      kept.push_back(entries[begin++]);
      continue;
    }
    const std::size_t length = loop.period * loop.rounds;
    const std::size_t each_end = waits(entries, begin, loop) ? 1 : rounds;
    if (each_end < (loop.rounds + 1) / 2) {
      const std::size_t part = each_end * loop.period;
      for (std::size_t i = 0; i < part; ++i) kept.push_back(entries[begin + i]);
      for (std::size_t i = length - part; i < length; ++i) kept.push_back(entries[begin + i]);
      kept.back().loop = kFollowFolded | static_cast<std::uint32_t>(loop.period);
    } else {
      const std::size_t farthest = kFollowFarthest / loop.period * loop.period;
      for (std::size_t i = 0; i < length; ++i) {
        kept.push_back(entries[begin + i]);
        const std::size_t to_last_round = (loop.rounds - 1 - i / loop.period) * loop.period;
        kept.back().loop = static_cast<std::uint32_t>(std::min(to_last_round, farthest));
      }
    }
    begin += length;
  }
  return kept;
}

std::vector<std::uint64_t> paths_of(const std::vector<RecordedThread>& threads) {
  std::vector<std::uint64_t> paths(threads.size(), kMainPath);
  const auto creator_of = [&](std::uint32_t thread) {
    return threads[thread].creator < thread ? threads[thread].creator : 0;
  };
  // By birth, whatever number it begins with. Of equal ones the latest existed: the others could not be created.
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> children;
  for (std::uint32_t thread = 1; thread < threads.size(); ++thread) {
    children[creator_of(thread)][threads[thread].birth] = thread;
    paths[thread] = kNoPath;
  }
  for (const auto& [creator, list] : children) {  // ascending: the path of a creator is known before it is asked for
    std::uint32_t n = 0;
    for (const auto& [birth, thread] : list) paths[thread] = child_path(paths[creator], n++);
  }
  return paths;
}

std::size_t total(const std::vector<Entries>& lists) {
  std::size_t sum = 0;
  for (const Entries& list : lists) sum += list.size();
  return sum;
}

// Drops events from the end until at most `most` are left.
void cut(std::vector<Entries>& lists, std::size_t most) {
  if (total(lists) <= most) return;
  std::vector<std::uint32_t> orders;
  for (const Entries& list : lists) {
    for (const Entry& entry : list) orders.push_back(entry.order);
  }
  std::nth_element(orders.begin(), orders.begin() + static_cast<std::ptrdiff_t>(most), orders.end());
  const std::uint32_t end = orders[most];
  for (Entries& list : lists) {
    std::erase_if(list, [&](const Entry& entry) { return entry.order >= end; });
  }
}

// Places are numbers without gaps.
std::vector<std::uint32_t> places(const std::vector<Entries>& lists) {
  std::vector<std::uint32_t> orders;
  for (const Entries& list : lists) {
    for (const Entry& entry : list) orders.push_back(entry.order);
  }
  std::sort(orders.begin(), orders.end());
  return orders;
}

}  // namespace

std::vector<std::uint64_t> follow_details(const Recording& recording, std::size_t most) {
  const std::size_t threads = recording.threads.size();
  const std::size_t header = kFollowHeaderWords + threads * kFollowThreadWords;
  if (threads == 0 || header > most) return {};

  std::vector<Entries> whole(threads);
  std::uint32_t order = 0;
  for (const RecordedEvent& event : without_what_was_alone(in_order(recording), threads)) {
    whole[event.thread].push_back({order++, 0, follow_key(event.kind, event.pc), event.kind, event.object});
  }
  const std::size_t room = std::min(most - header, kMostPlaces);
  std::vector<Entries> lists(threads);
  for (const std::size_t rounds : {kAllRounds, std::size_t{256}, std::size_t{32}, std::size_t{4}, std::size_t{1}}) {
    std::transform(whole.begin(), whole.end(), lists.begin(),
                   [&](const Entries& entries) { return folded(entries, rounds); });
    if (total(lists) <= room) break;
  }
  cut(lists, room);

  const std::vector<std::uint32_t> orders = places(lists);
  const std::vector<std::uint64_t> paths = paths_of(recording.threads);
  std::vector<std::uint32_t> by_path(threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread) by_path[thread] = thread;
  std::sort(by_path.begin(), by_path.end(), [&](std::uint32_t a, std::uint32_t b) { return paths[a] < paths[b]; });

  std::vector<std::uint64_t> words = {threads};
  words.reserve(header + orders.size());
  std::size_t next = header;
  for (const std::uint32_t thread : by_path) {
    words.push_back(paths[thread]);
    words.push_back((std::uint64_t{next} << 32) | lists[thread].size());
    next += lists[thread].size();
  }
  for (const std::uint32_t thread : by_path) {
    for (const Entry& entry : lists[thread]) {
      const auto place = std::lower_bound(orders.begin(), orders.end(), entry.order) - orders.begin();
      words.push_back(follow_event(static_cast<std::uint32_t>(place), entry.loop, entry.key));
    }
  }
  return words;
}

}  // namespace ravel
#endif
