// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/request_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/futures/order_directions.h"
#include "driver/futures/order_proof.h"
#include "driver/futures/order_search.h"

namespace ravel {
namespace {

constexpr std::size_t kMostWays = 32;      // ways to choose, in one execution
constexpr std::uint64_t kShortLook = 200;  // executions, for a request that names something never seen
constexpr double kShareOfTime = 2.0 / 3;   // for the exhaustive search

}  // namespace

std::vector<const ObservedExecution*> RequestSearch::seen() const {
  std::vector<const ObservedExecution*> result;
  for (const PerformedExecution& performed : pool_.kept()) result.push_back(&performed.seen);
  return result;
}

Result<bool> RequestSearch::attempt(std::size_t execution, std::span<const FutureChoice> some,
                                    const std::vector<FutureChoice>& choices) {
  for (const OtherReads level : kOtherReadsLevels) {
    for (const auto& way : ways_to_choose(some, pool_.kept()[execution].seen, kMostWays)) {
      if (pool_.out_of_budget()) return false;
      const ObservedExecution& origin = pool_.kept()[execution].seen;
      if (way.empty() || find_cycle(origin, way)) continue;
      const OrderFound found = find_order(origin, way, level, {.deadline = pool_.deadline()});
      if (found.answer != OrderAnswer::found) continue;
      const std::vector<std::uint64_t> directions = directions_for(origin, found.order);
      if (!pool_.are_new(directions)) continue;
      const auto made = pool_.run(directions);
      if (!made.is_ok()) return made.status();
      const ObservedExecution& now = pool_.kept()[made.value()].seen;
      if (shows(now, choices)) {
        shown_by_ = made.value();
        return true;
      }
      if (shows(now, some)) return false;  // this much holds: continue from there
    }
  }
  return false;
}

// True when every schedule was explored and none shows it.
Result<bool> RequestSearch::prove(const std::vector<FutureChoice>& choices) {
  // What no execution has reached so far may be a typo: then a short look is enough.
  const bool known = check_against(choices, seen()).is_ok();
  std::optional<PerformedExecution> showing;
  std::optional<PerformedExecution> helpful;
  const auto visit = [&](PerformedExecution& performed) {
    ++proof_executions_;
    if (shows(performed.seen, choices)) {
      showing = std::move(performed);
      return ExecutionPool::Visit::stop;
    }
    if (!helpful && !ways_to_choose(choices, performed.seen, 1).empty()) helpful = std::move(performed);
    return ExecutionPool::Visit::go_on;
  };
  const auto complete = pool_.explore("dpor", known ? proof_ : std::min(proof_, kShortLook), kShareOfTime, visit);
  if (!complete.is_ok()) return complete.status();
  if (showing) shown_by_ = pool_.keep(std::move(*showing));
  if (helpful) pool_.keep(std::move(*helpful));
  return complete;
}

// Two choices that can only be for one read are a mistake in the request.
Status RequestSearch::check_told_apart(const std::vector<FutureChoice>& choices) const {
  const std::vector<const ObservedExecution*> all = seen();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    for (std::size_t j = i + 1; j < choices.size(); ++j) {
      const std::vector<FutureChoice> both{choices[i], choices[j]};
      const bool alone = std::any_of(all.begin(), all.end(), [&](const ObservedExecution* one) {
        return !ways_to_choose(std::span(&both[0], 1), *one, 1).empty() &&
               !ways_to_choose(std::span(&both[1], 1), *one, 1).empty();
      });
      const bool together = std::any_of(
          all.begin(), all.end(), [&](const ObservedExecution* one) { return !ways_to_choose(both, *one, 1).empty(); });
      if (alone && !together) {
        return Status::trouble(fmt::format("two choices are for one read: '{}' and '{}'", both[0].text, both[1].text),
                               "keep one, or tell the occurrences apart: #1 and #2");
      }
    }
  }
  return Status::ok();
}

std::string RequestSearch::cycle_against(const std::vector<FutureChoice>& choices) const {
  ShortestCycle shortest;
  for (const PerformedExecution& performed : pool_.kept()) {
    for (const auto& way : ways_to_choose(choices, performed.seen, kMostWays)) shortest.look_at(performed.seen, way);
  }
  return shortest.text();
}

Result<RequestAnswer> RequestSearch::force(const std::vector<FutureChoice>& choices) {
  if (Status status = check_choices(choices); !status.is_ok()) return status;
  if (const auto first = pool_.run({}); !first.is_ok()) return first.status();
  const auto complete = search(choices);
  if (!complete.is_ok() && !pool_.deadline().has_come()) return complete.status();
  RequestAnswer answer;
  answer.executions = pool_.directed();
  answer.proof_executions = proof_executions_;
  answer.shown_by = shown_by_;
  if (shown_by_) {
    answer.status = FutureStatus::forced;
    return answer;
  }
  if (pool_.deadline().has_come()) {
    answer.reason = pool_.deadline().reason();
    return answer;
  }
  if (Status status = check_against(choices, seen()); !status.is_ok()) return status;
  if (Status status = check_told_apart(choices); !status.is_ok()) return status;
  answer.status = complete.value() ? FutureStatus::infeasible : FutureStatus::budget;
  answer.reason = cycle_against(choices);
  if (answer.reason.empty()) {
    answer.reason = complete.value() ? "no schedule of the program shows it" : "no order that shows it was found";
  }
  return answer;
}

// Sets shown_by_. True when every schedule was explored.
Result<bool> RequestSearch::search(const std::vector<FutureChoice>& choices) {
  if (shows(pool_.kept()[0].seen, choices)) shown_by_ = 0;
  for (std::size_t execution = 0; execution < pool_.kept().size() && !shown_by_ && !pool_.out_of_budget();
       ++execution) {
    const auto whole = attempt(execution, choices, choices);
    if (!whole.is_ok()) return whole.status();
    if (whole.value()) break;
    // A read that exists only when another has seen something: the choices that exist bring about the others.
    for (const FutureChoice& one : choices) {
      if (shown_by_ || choices.size() == 1) break;
      if (shows(pool_.kept()[execution].seen, std::span(&one, 1))) continue;
      // Keeps those that hold here.
      std::vector<FutureChoice> some;
      for (const FutureChoice& other : choices) {
        if (&other == &one || shows(pool_.kept()[execution].seen, std::span(&other, 1))) some.push_back(other);
      }
      const auto part = attempt(execution, some, choices);
      if (!part.is_ok()) return part.status();
    }
  }
  if (shown_by_ || proof_ == 0) return false;
  return prove(choices);
}

}  // namespace ravel
