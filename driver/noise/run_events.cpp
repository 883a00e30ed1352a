// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/run_events.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/recently_seen.h"
#include "driver/noise/revisits.h"

namespace ravel {
namespace {

// Which locks were taken while others were held, in one run.
class LockGraph {
 public:
  void take(TaskId task, std::uint64_t lock, std::uint64_t pc) {
    std::vector<Held>& held = held_[task];
    for (const Held& other : held) {
      if (other.lock == lock) continue;
      edges_[other.lock][lock].insert(other.pc);
    }
    held.push_back({lock, pc});
  }

  void give_back(TaskId task, std::uint64_t lock) {
    std::vector<Held>& held = held_[task];
    const auto found = std::find_if(held.rbegin(), held.rend(), [&](const Held& one) { return one.lock == lock; });
    if (found != held.rend()) held.erase(std::next(found).base());
  }

  // Where locks are taken under which others are wanted that lead back to them.
  std::set<std::uint64_t> sites_in_cycles() const {
    std::set<std::uint64_t> sites;
    for (const auto& [held, wanted] : edges_) {
      for (const auto& [lock, pcs] : wanted) {
        if (leads_to(lock, held)) sites.insert(pcs.begin(), pcs.end());
      }
    }
    return sites;
  }

 private:
  struct Held {
    std::uint64_t lock;
    std::uint64_t pc;
  };

  bool leads_to(std::uint64_t from, std::uint64_t to) const {
    constexpr std::size_t kEnough = 1000;  // locks visited: it only says where noise is worth more
    std::unordered_set<std::uint64_t> seen{from};
    std::vector<std::uint64_t> open{from};
    while (!open.empty() && seen.size() < kEnough) {
      const std::uint64_t lock = open.back();
      open.pop_back();
      if (lock == to) return true;
      const auto wanted = edges_.find(lock);
      if (wanted == edges_.end()) continue;
      for (const auto& [next, pcs] : wanted->second) {
        if (seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  }

  std::unordered_map<TaskId, std::vector<Held>> held_;
  std::map<std::uint64_t, std::map<std::uint64_t, std::set<std::uint64_t>>> edges_;
};

// Was the first thread the only one? As far as the record shows, a child that creates threads of its own, or is never
// waited for, may be there forever.
class Company {
 public:
  explicit Company(const FreeRun& run) {
    const std::size_t count = std::min<std::size_t>(run.threads, kMaxFreeThreads);
    for (std::size_t i = 1; i < count; ++i) only_children_ = only_children_ && run.thread[i].creator == 0;
  }

  bool is_alone(const FreeEvent& event) {
    if (event.kind == OperationKind::task_detach) for_ever_ = true;
    if (event.kind == OperationKind::task_create) {
      ++children_;
      for_ever_ = for_ever_ || !only_children_;
    }
    if (event.kind == OperationKind::task_join && children_ > 0) --children_;
    return children_ == 0 && !for_ever_;
  }

 private:
  bool only_children_ = true;
  bool for_ever_ = false;
  std::uint64_t children_ = 0;
};

}  // namespace

RunEvents read_run_events(const FreeRun& run, bool with_revisits) {
  RunEvents result;
  const std::size_t threads = std::min<std::size_t>(run.threads, kMaxFreeThreads);
  result.threads = run.threads;
  std::unordered_set<std::uint64_t> concurrent;
  std::unordered_set<std::uint64_t> alone;
  Company company(run);
  LockGraph locks;
  Revisits revisits;
  const std::size_t chunks = std::min<std::size_t>(run.chunks, kMaxEventChunks);
  RecentlySeen recent;  // of `concurrent`
  for (std::size_t i = 0; i < chunks; ++i) {
    const EventChunk& chunk = run.chunk[i];
    for (const FreeEvent& event : chunk.event) {
      if (event.clock == 0) break;
      const bool is_alone = chunk.task == 0 && company.is_alone(event);
      if (takes_lock(event.kind)) locks.take(chunk.task, event.object, event.pc);
      if (releases_lock(event.kind)) locks.give_back(chunk.task, event.object);
      if (with_revisits) revisits.learn(chunk.task, event);
      if (is_alone) {
        alone.insert(event.pc);
      } else if (!recent.again(event.pc)) {
        concurrent.insert(event.pc);
      }
    }
  }
  for (std::size_t i = 0; i < threads; ++i) {
    result.events += run.thread[i].events;
    for (unsigned place = 0; place < kNoisePlaces; ++place) result.placed[place] += run.thread[i].placed[place];
    if (chunks == 0 && run.thread[i].site != 0) (threads > 1 ? concurrent : alone).insert(run.thread[i].site);
  }
  for (const Interruption& one : run.interruption) {
    if (one.interrupted == 0 || one.by == 0) continue;
    result.interruptions.push_back(one);
    concurrent.insert(one.interrupted);
    concurrent.insert(one.by);
  }
  result.concurrent.assign(concurrent.begin(), concurrent.end());
  std::sort(result.concurrent.begin(), result.concurrent.end());
  result.alone.assign(alone.begin(), alone.end());
  std::sort(result.alone.begin(), result.alone.end());
  result.revisits = revisits.sites();
  const std::set<std::uint64_t> cycles = locks.sites_in_cycles();
  result.cycle_locks.assign(cycles.begin(), cycles.end());
  return result;
}

}  // namespace ravel
