// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/shrinker.h"

#include <algorithm>
#include <set>
#include <utility>

#include "driver/findings/conflicts.h"
#include "model/plan.h"

namespace ravel {
namespace {

constexpr std::size_t kMostDirections = kMaxPlanDetails / kWordsPerDirection - 1;
constexpr std::size_t kMostFirst = 64;      // first switches that are tried alone
constexpr std::uint32_t kNear = 6;          // steps around a preemption that are always tried
constexpr std::uint64_t kDeepestLevel = 3;  // number of preemptions up to which all executions are tried
constexpr std::uint64_t kFirstLevel = 1;    // and before anything else

constexpr int kRunsAfterwards = 4;  // of the result: with values, for both sides of the finding, strictly

// Shares of the budget: the rest is for the search for the cause.
constexpr double kShareOfFirstSearch = 0.25;
constexpr double kShareOfSearch = 0.6;
constexpr double kShareOfShrinking = 0.85;

Directions with(Directions directions, const Direction& added) {
  std::erase_if(directions, [&](const Direction& other) {
    return other.task == added.task && other.step == added.step && other.kind == added.kind &&
           other.index == added.index;
  });
  directions.insert(std::upper_bound(directions.begin(), directions.end(), added), added);
  return directions;
}

Directions without(const Directions& directions, std::size_t first, std::size_t count) {
  Directions rest(directions.begin(), directions.begin() + static_cast<std::ptrdiff_t>(first));
  rest.insert(rest.end(), directions.begin() + static_cast<std::ptrdiff_t>(std::min(first + count, directions.size())),
              directions.end());
  return rest;
}

// Steps that a task made in a row.
struct Run {
  TaskId task = 0;
  std::uint32_t count = 0;
};
using Runs = std::vector<Run>;

void append(Runs& runs, const Run& run) {
  if (!runs.empty() && runs.back().task == run.task) {
    runs.back().count += run.count;
  } else {
    runs.push_back(run);
  }
}

Runs runs_of(const std::vector<DecisionRun>& decisions) {
  Runs runs;
  for (const DecisionRun& run : decisions) {
    if (run.kind == DecisionKind::task) append(runs, {run.value, run.count});
  }
  return runs;
}

// Directions for the same steps of each task in this order of runs, with the answers where they were given.
Directions directions_of(const Runs& runs, const Directions& answers) {
  std::vector<DecisionRun> decisions;
  decisions.reserve(runs.size());
  for (const Run& run : runs) decisions.push_back({DecisionKind::task, {}, 0, run.task, run.count});
  Directions directions = directions_of(decisions);
  directions.insert(directions.end(), answers.begin(), answers.end());
  std::sort(directions.begin(), directions.end());
  return directions;
}

enum class Gather : std::uint8_t { at_first, at_last };

// Merges the runs of each task within [start, start + length) into one: where its first was, or its last.
Runs gathered(const Runs& runs, std::size_t start, std::size_t length, Gather gather) {
  const std::size_t end = std::min(start + length, runs.size());
  std::vector<Run> groups;
  for (std::size_t i = start; i < end; ++i) {
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Run& group) { return group.task == runs[i].task; });
    Run group = runs[i];
    if (found == groups.end()) {
      groups.push_back(group);
    } else if (gather == Gather::at_first) {
      found->count += group.count;
    } else {
      group.count += found->count;
      groups.erase(found);
      groups.push_back(group);
    }
  }
  Runs result;
  for (std::size_t i = 0; i < start; ++i) append(result, runs[i]);
  for (const Run& group : groups) append(result, group);
  for (std::size_t i = end; i < runs.size(); ++i) append(result, runs[i]);
  return result;
}

// Merges one run into the next of its task, or the previous one. Unchanged when there is none.
Runs joined(const Runs& runs, std::size_t which, Gather gather) {
  Runs result = runs;
  const auto same = [&](std::size_t i) { return runs[i].task == runs[which].task; };
  std::size_t other = which;
  if (gather == Gather::at_last) {
    for (std::size_t i = which + 1; i < runs.size() && other == which; ++i) {
      if (same(i)) other = i;
    }
  } else {
    for (std::size_t i = which; i-- > 0 && other == which;) {
      if (same(i)) other = i;
    }
  }
  if (other == which) return runs;
  result[other].count += runs[which].count;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(which));
  Runs merged;
  for (const Run& run : result) append(merged, run);
  return merged;
}

class Shrinking {
 public:
  explicit Shrinking(TrialRunner& runner) : runner_(runner) {}

  std::optional<Shrunk> shrink(Directions all, const Runs& runs) {
    if (all.size() > kMostDirections) all.resize(kMostDirections);
    runner_.set_share(kShareOfShrinking);
    Trial first = runner_.run(all);
    if (!first.same) {
      all.clear();
      first = runner_.run(all);
    }
    // Too many switches to name them all (endless loops): the first few may be enough.
    for (std::size_t count = 1; !first.same && count <= kMostFirst && !runner_.exhausted(); count *= 2) {
      all = first_of(runs, count);
      first = runner_.run(all);
    }
    if (!first.same) return std::nullopt;
    accept(std::move(all), std::move(first));
    offer({});
    cut_tail();
    // With many tasks what was found has a preemption for most of them, and each is needed by the others. One or two
    // in other places often show the same.
    runner_.set_share(kShareOfFirstSearch);
    search_below(kFirstLevel);
    runner_.set_share(kShareOfShrinking);
    for (;;) {
      const ScheduleCost before = cost_;
      gather_runs();
      take_away();
      runner_.set_share(kShareOfSearch);
      const bool found = search_below(kDeepestLevel) || replace_pairs();
      runner_.set_share(kShareOfShrinking);
      if (found) continue;
      move_earlier();
      take_away();
      if (cost_ == before || runner_.exhausted()) break;
    }
    Shrunk result;
    result.directions = std::move(directions_);
    result.trial = std::move(best_);
    result.executions = runner_.executions();
    result.exhausted = runner_.exhausted();
    runner_.set_share(1);
    return result;
  }

 private:
  void accept(Directions directions, Trial trial) {
    cost_ = cost_of(trial);
    best_ = std::move(trial);
    // Directions that were not followed say nothing.
    const Directions followed = directions_of(best_.decisions, best_.trace);
    std::erase_if(directions, [&](const Direction& direction) {
      return !std::binary_search(followed.begin(), followed.end(), direction);
    });
    directions_ = std::move(directions);
  }

  // Accepts the candidate when it is simpler: a simpler execution, or the same one with fewer directions.
  bool offer(Directions candidate) {
    Trial trial = runner_.run(candidate);
    if (!trial.same) return false;
    const ScheduleCost cost = cost_of(trial);
    const bool simpler = cost < cost_ || (cost == cost_ && candidate.size() < directions_.size());
    if (simpler) accept(std::move(candidate), std::move(trial));
    return simpler;
  }

  // While there are many directions, drop every one that can be dropped, even if the execution gets longer: preemptions
  // count first.
  bool offer_shorter(Directions candidate) {
    Trial trial = runner_.run(candidate);
    if (!trial.same) return false;
    const ScheduleCost cost = cost_of(trial);
    const auto weight = [](const ScheduleCost& c) { return c.preemptions + c.unusual; };
    const bool shorter =
        candidate.size() < directions_.size() && weight(cost) <= weight(cost_) && cost.preemptions <= cost_.preemptions;
    if (!shorter && !(cost < cost_)) return false;
    accept(std::move(candidate), std::move(trial));
    return true;
  }

  bool offer_runs(const Runs& runs, std::size_t known) {
    if (runs.size() >= known) return false;
    Directions candidate = directions_of(runs, answers());
    Trial trial = runner_.run(candidate);
    if (!trial.same) return false;
    const ScheduleCost cost = cost_of(trial);
    if (cost.preemptions > cost_.preemptions || cost.unusual > cost_.unusual) return false;
    if (cost.preemptions == cost_.preemptions && cost.switches >= cost_.switches) return false;
    accept(std::move(candidate), std::move(trial));
    return true;
  }

  Directions answers() const {
    Directions found = directions_;
    std::erase_if(found, [](const Direction& direction) { return direction.kind == DirectionKind::go_to; });
    return found;
  }

  // Merges steps that a task made in pieces, in large parts of the execution first. Removing single directions gets
  // stuck: a detour from one task to another through a third needs all of its parts.
  void gather_runs() {
    Runs runs = runs_of(best_.decisions);
    for (std::size_t window = runs.size(); window >= 3 && !runner_.exhausted();) {
      bool changed = false;
      for (std::size_t start = 0; start + 3 <= runs.size() && !runner_.exhausted();) {
        bool here = false;
        for (const Gather gather : {Gather::at_first, Gather::at_last}) {
          if (!offer_runs(gathered(runs, start, window, gather), runs.size())) continue;
          runs = runs_of(best_.decisions);
          here = true;
          break;
        }
        changed = changed || here;
        if (!here) start += std::max<std::size_t>(window / 2, 1);
      }
      if (window == 3 && !changed) break;
      if (!changed || window > runs.size()) window = std::max<std::size_t>(std::min(window, runs.size()) / 2, 3);
      if (runs.size() < 3) break;
    }
    for (std::size_t i = runs.size(); i-- > 0 && !runner_.exhausted();) {
      for (const Gather gather : {Gather::at_last, Gather::at_first}) {
        if (i >= runs.size()) break;
        if (offer_runs(joined(runs, i, gather), runs.size())) runs = runs_of(best_.decisions);
      }
    }
  }

  // The first switches, and none after them.
  static Directions first_of(const Runs& runs, std::size_t count) {
    Directions directions = directions_of(
        Runs(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(std::min(count + 1, runs.size()))), {});
    return directions;
  }

  // Often what matters comes early, and the rest is what tasks do anyway without being interrupted.
  void cut_tail() {
    const Runs runs = runs_of(best_.decisions);
    for (std::size_t count = 1; count < runs.size() && count <= kMostFirst && !runner_.exhausted(); count *= 2) {
      Directions candidate = first_of(runs, count);
      const Directions given = answers();
      candidate.insert(candidate.end(), given.begin(), given.end());
      std::sort(candidate.begin(), candidate.end());
      if (offer_shorter(std::move(candidate))) return;
    }
  }

  // Delta debugging: large pieces first, then smaller ones.
  void take_away() {
    std::size_t piece = std::max<std::size_t>(directions_.size() / 2, 1);
    while (!directions_.empty() && !runner_.exhausted()) {
      bool changed = false;
      for (std::size_t end = directions_.size(); end > 0 && !runner_.exhausted();) {
        const std::size_t first = end > piece ? end - piece : 0;
        if (offer_shorter(without(directions_, first, end - first))) {
          changed = true;
          end = std::min(first, directions_.size());
        } else {
          end = first;
        }
      }
      if (piece == 1 && !changed) return;
      if (!changed) piece = std::max<std::size_t>(piece / 2, 1);
      piece = std::min(piece, std::max<std::size_t>(directions_.size(), 1));
    }
  }

  // How many numbers of preemptions are worth trying: one may do instead of an older store.
  std::uint64_t levels() const {
    return cost_.older_stores == 0 ? cost_.preemptions : std::max(cost_.preemptions, kFirstLevel + 1);
  }

  // All executions with fewer preemptions than are known to be enough, from none upwards, at most `deepest`.
  bool search_below(std::uint64_t deepest) {
    for (std::uint64_t level = 0; level < levels() && level <= deepest; ++level) {
      if (level < searched_) continue;
      if (search_level(level)) return true;
      if (runner_.exhausted()) return false;
      searched_ = level + 1;
    }
    return false;
  }

  bool search_level(std::uint64_t level) {
    // Not only from the plain run: the finding may need the known execution's answers at free places.
    if (search_from({}, level, 0)) return true;
    if (level >= cost_.preemptions) return false;
    Directions free;
    Directions preempting = preempting_directions();
    std::sort(preempting.begin(), preempting.end());
    for (const Direction& direction : directions_) {
      if (!std::binary_search(preempting.begin(), preempting.end(), direction)) free.push_back(direction);
    }
    return !free.empty() && search_from(free, level, 0);
  }

  bool search_from(const Directions& base, std::uint64_t level, std::size_t from) {
    const Trial trial = runner_.run(base);
    if (!trial.performed) return false;
    const ScheduleCost cost = cost_of(trial);
    const auto simpler =
        std::tie(cost.older_stores, cost.preemptions) < std::tie(cost_.older_stores, cost_.preemptions);
    if (trial.same && simpler) {
      accept(base, trial);
      return true;
    }
    if (level == 0) return false;
    const Conflicts conflicts(trial.trace);
    for (const PreemptionPoint& point : conflicts.points(from, kNear)) {
      if (runner_.exhausted()) return false;
      const Directions next = with(base, {point.task, point.step, DirectionKind::go_to, 0, point.next});
      if (search_from(next, level - 1, point.at)) return true;
    }
    return false;
  }

  Directions preempting_directions() const {
    Directions found;
    std::vector<std::uint32_t> made;
    for (std::size_t i = 0; i < best_.trace.size(); ++i) {
      const TaskId task = best_.trace[i].operation.task;
      const TaskId before = i == 0 ? 0 : best_.trace[i - 1].operation.task;
      if (std::max(task, before) >= made.size()) made.resize(std::max(task, before) + 1, 0);
      if ((best_.trace[i].flags & kTracePreempts) != 0) {
        found.push_back({before, made[before], DirectionKind::go_to, 0, task});
      }
      ++made[task];
    }
    return found;
  }

  // One preemption in place of two, for when there are too many executions to try them all.
  bool replace_pairs() {
    if (cost_.preemptions < 2) return false;
    const Conflicts conflicts(best_.trace);
    const std::vector<PreemptionPoint> points = conflicts.points(0, kNear);
    for (std::size_t a = 0; a < directions_.size(); ++a) {
      for (std::size_t b = a + 1; b < directions_.size(); ++b) {
        if (runner_.exhausted()) return false;
        Directions rest = without(without(directions_, b, 1), a, 1);
        for (const PreemptionPoint& point : points) {
          if (runner_.exhausted()) return false;
          const Directions candidate = with(rest, {point.task, point.step, DirectionKind::go_to, 0, point.next});
          const std::uint64_t before = cost_.preemptions;
          Trial trial = runner_.run(candidate);
          if (!trial.same || cost_of(trial).preemptions >= before) continue;
          accept(candidate, std::move(trial));
          return true;
        }
      }
    }
    return false;
  }

  // Moves each switch as early as the finding allows: the task's last step before it is then the one that mattered.
  void move_earlier() {
    for (std::size_t i = 0; i < directions_.size() && !runner_.exhausted(); ++i) {
      if (directions_[i].kind != DirectionKind::go_to) continue;
      const Direction now = directions_[i];
      const Directions rest = without(directions_, i, 1);
      // The steps this task made in a row before the switch.
      std::uint32_t low = 0;
      for (const Direction& other : rest) {
        if (other.kind == DirectionKind::go_to && other.task == now.task && other.step < now.step) {
          low = std::max(low, other.step + 1);
        }
      }
      std::uint32_t high = now.step;  // known to show the finding
      while (low < high && !runner_.exhausted()) {
        const std::uint32_t middle = low + (high - low) / 2;
        Direction moved = now;
        moved.step = middle;
        if (offer(with(rest, moved))) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      for (std::uint32_t back = 1; back <= 3 && high >= back; ++back) {
        Direction moved = now;
        moved.step = high - back;
        if (offer(with(rest, moved))) break;
      }
    }
  }

  TrialRunner& runner_;
  Directions directions_;
  Trial best_;
  ScheduleCost cost_;
  std::uint64_t searched_ = 0;  // levels searched without success
};

}  // namespace

ScheduleCost cost_of(const Trial& trial) {
  ScheduleCost cost;
  cost.preemptions = trial.summary.preemptions;
  cost.steps = trial.summary.steps;
  cost.switches = trial.summary.switches;
  for (const DecisionRun& run : trial.decisions) {
    if (run.kind == DecisionKind::reads_from && run.value != 0) ++cost.older_stores;
    if (run.kind == DecisionKind::reads_from || (run.kind == DecisionKind::environment && run.value != 0)) {
      ++cost.unusual;
    }
  }
  for (std::size_t i = 0; i < trial.trace.size(); ++i) {
    if ((trial.trace[i].flags & kTracePreempts) != 0) cost.earliness += i;
  }
  return cost;
}

TrialRunner::TrialRunner(TryDirections try_out, const ShrinkBudget& budget, const Deadline& deadline)
    : try_out_(std::move(try_out)), deadline_(deadline), most_(budget.executions), time_(budget.time) {}

bool TrialRunner::exhausted() const {
  if (lost_ || static_cast<double>(executions_) >= share_ * static_cast<double>(most_)) return true;
  const Clock::time_point now = Clock::now();
  if (deadline_.has_come() || deadline_.end() - now < kRunsAfterwards * longest_) return true;
  return std::chrono::duration<double>(now - start_) >= share_ * std::chrono::duration<double>(time_);
}

Trial TrialRunner::run(const Directions& directions) {
  if (exhausted()) return {};
  if (directions.size() > kMostDirections) {  // more than fit into a plan: as if they had not shown the finding
    Trial none;
    none.performed = true;
    return none;
  }
  ++executions_;
  const Clock::time_point before = Clock::now();
  Trial trial = try_out_(directions);
  longest_ = std::max(longest_, Clock::now() - before);
  if (!trial.performed) lost_ = true;
  if (trial.passes) latest_pass_ = directions;
  return trial;
}

std::optional<Shrunk> shrink(TrialRunner& runner, const Directions& directions,
                             const std::vector<DecisionRun>& decisions) {
  return Shrinking(runner).shrink(directions, runs_of(decisions));
}

}  // namespace ravel
