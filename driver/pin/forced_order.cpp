// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/forced_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace ravel {
namespace {

// The step is made when the wait begins.
bool begins_to_wait(OperationKind kind) {
  return kind == OperationKind::condition_wait || kind == OperationKind::condition_timed_wait ||
         kind == OperationKind::barrier_wait || kind == OperationKind::futex_wait;
}

class Placing {
 public:
  Placing(const FailingOrder& order, const PlaceNames& names) : steps_(order.steps), names_(names) {}

  std::vector<ActionPlace> notifies(std::size_t step) const {
    std::vector<ActionPlace> places;
    const std::optional<std::size_t> next = next_of(step);
    // After the call would be after the wait. A task that waits on a condition holds the lock until it waits, so no
    // task that needs the lock can run in between.
    if (begins_to_wait(steps_[step].kind)) before(step, std::nullopt, places);
    behind(step, next, places);
    if (next) before(*next, step, places);
    if (places.empty()) {
      // What the task did before: earlier than wanted, by what is in between.
      for (std::optional<std::size_t> earlier = previous_of(step); earlier && places.empty();
           earlier = previous_of(*earlier)) {
        behind(*earlier, step, places);
        for (ActionPlace& place : places) place.exact = false;
      }
    }
    return best_first(std::move(places));
  }

  std::vector<ActionPlace> waits(const Precedence& precedence) const {
    std::vector<ActionPlace> places;
    const std::size_t step = precedence.second;
    if (precedence.holds) {
      behind(step, std::nullopt, places);
    } else {
      const std::optional<std::size_t> previous = previous_of(step);
      before(step, previous, places);
      if (previous) behind(*previous, step, places);
    }
    return best_first(std::move(places));
  }

 private:
  static std::vector<ActionPlace> best_first(std::vector<ActionPlace> places) {
    std::stable_partition(places.begin(), places.end(), [](const ActionPlace& place) { return place.exact; });
    return places;
  }

  // Of the same task.
  std::optional<std::size_t> next_of(std::size_t step) const {
    for (std::size_t i = step + 1; i < steps_.size(); ++i) {
      if (steps_[i].task == steps_[step].task && steps_[i].is_orderable()) return i;
    }
    return std::nullopt;
  }
  std::optional<std::size_t> previous_of(std::size_t step) const {
    for (std::size_t i = step; i-- > 0;) {
      if (steps_[i].task == steps_[step].task && steps_[i].is_orderable()) return i;
    }
    return std::nullopt;
  }

  static const StepPlace* place_in(const OrderedStep& step, const std::filesystem::path& file,
                                   const SourceRange& range) {
    for (const StepPlace& place : step.places) {
      if (place.file == file && range.holds(place.line, place.column)) return &place;
    }
    return nullptr;
  }

  void behind(std::size_t step, std::optional<std::size_t> next, std::vector<ActionPlace>& places) const {
    for (const StepPlace& place : steps_[step].places) {
      const PlaceName* name = names_.find(place);
      if (name == nullptr || !name->after) continue;
      const bool exact = !next || place_in(steps_[*next], name->file, name->behind) == nullptr ||
                         arrivals(*next, name->file, name->behind) != arrivals(step, name->file, name->behind);
      add(*name, true, step, name->behind, place, exact, places);
    }
  }

  void before(std::size_t step, std::optional<std::size_t> previous, std::vector<ActionPlace>& places) const {
    for (const StepPlace& place : steps_[step].places) {
      const PlaceName* name = names_.find(place);
      if (name == nullptr || !name->before) continue;
      const bool exact =
          !previous || place_in(steps_[*previous], name->file, name->statement) == nullptr ||
          arrivals(*previous, name->file, name->statement) != arrivals(step, name->file, name->statement);
      add(*name, false, step, name->statement, place, exact, places);
    }
  }

  void add(const PlaceName& name, bool after, std::size_t step, const SourceRange& range, const StepPlace& at,
           bool exact, std::vector<ActionPlace>& places) const {
    ActionPlace place;
    place.point = name.point;
    place.after = after;
    place.actor = steps_[step].task;
    const unsigned count = arrivals(step, name.file, range);
    place.arrival = count > 1 ? count : 0;
    const bool shared = others_come(steps_[step].task, at);
    if (shared) place.task = place.actor;
    // T0 cannot be selected by its number: an action in code that others run too would be theirs as well.
    place.exact = exact && !(shared && place.actor == 0);
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }

  // Whether another task runs the same function. Lambdas of one function share their name: those in different places
  // are distinct.
  bool others_come(TaskId task, const StepPlace& at) const {
    const bool is_lambda = at.function.find("lambda") != std::string::npos;
    unsigned first = at.line;
    unsigned last = at.line;
    std::map<TaskId, std::pair<unsigned, unsigned>> others;
    for (const OrderedStep& step : steps_) {
      for (const StepPlace& place : step.places) {
        if (place.file != at.file || place.function != at.function) continue;
        if (step.task == task) {
          first = std::min(first, place.line);
          last = std::max(last, place.line);
        } else {
          const auto known = others.emplace(step.task, std::pair(place.line, place.line)).first;
          known->second.first = std::min(known->second.first, place.line);
          known->second.second = std::max(known->second.second, place.line);
        }
      }
    }
    return std::any_of(others.begin(), others.end(), [&](const auto& other) {
      const auto [begin, end] = other.second;
      return !is_lambda || (begin <= last && first <= end);
    });
  }

  // How often the task had arrived at the range when it made the step, including that time. Steps in one range with the
  // same calls around them belong to one arrival until an instruction is repeated: optimised code jumps back and forth
  // between lines, so leaving the range and coming back is not an arrival by itself.
  unsigned arrivals(std::size_t until, const std::filesystem::path& file, const SourceRange& range) const {
    using Key = std::tuple<std::uint64_t, OperationKind, std::size_t>;
    unsigned count = 0;
    bool inside = false;
    std::size_t depth = 0;
    std::optional<Key> first;
    std::set<Key> seen;
    for (std::size_t i = 0; i <= until; ++i) {
      const OrderedStep& step = steps_[i];
      if (step.task != steps_[until].task || step.places.empty()) continue;
      const StepPlace* place = place_in(step, file, range);
      if (place == nullptr) {
        inside = false;
        continue;
      }
      const auto from_inside = static_cast<std::size_t>(place - step.places.data());
      const std::size_t around = step.places.size() - from_inside;
      const Key key{step.pc, step.kind, from_inside};
      // Within a call, loops repeat instructions.
      const bool called = from_inside > 0 || place->library;
      const bool again = seen.contains(key) && (!inside || !called || key == *first);
      if (count == 0 || around != depth || again) {
        ++count;
        seen.clear();
        first = key;
      }
      inside = true;
      depth = around;
      seen.insert(key);
    }
    return count;
  }

  const std::vector<OrderedStep>& steps_;
  const PlaceNames& names_;
};

Action action_at(const ActionPlace& place, bool by_task, ActionKind kind, const std::string& event) {
  Action action;
  action.point = place.point;
  action.kind = kind;
  action.after = place.after;
  action.event = event;
  action.arrival = place.arrival;
  action.task = by_task ? place.actor : place.task;
  return action;
}

}  // namespace

std::vector<ForcedPrecedence> force(const FailingOrder& order, const std::vector<Precedence>& precedences,
                                    const PlaceNames& names) {
  const Placing placing(order, names);
  std::vector<ForcedPrecedence> forced;
  for (const Precedence& precedence : precedences) {
    ForcedPrecedence entry{precedence, placing.notifies(precedence.first), placing.waits(precedence)};
    if (!entry.notifies.empty() && !entry.waits.empty()) forced.push_back(std::move(entry));
  }
  return forced;
}

std::vector<Action> actions_of(const std::vector<ForcedPrecedence>& forced, const std::vector<Choice>& choices) {
  std::vector<std::pair<ActionPlace, std::string>> events;  // by who notifies them
  std::vector<Action> waits;
  std::vector<Action> notifies;
  std::set<std::string> taken;
  for (const Choice& choice : choices) {
    const ActionPlace& notify = forced[choice.precedence].notifies[choice.notify];
    const auto known =
        std::find_if(events.begin(), events.end(), [&](const auto& event) { return event.first == notify; });
    std::string event;
    if (known != events.end()) {
      event = known->second;
    } else {
      const std::string name =
          fmt::format("T{} {} {}", notify.actor, notify.after ? "after" : "before", notify.point.name);
      event = name;
      for (unsigned i = 2; !taken.insert(event).second; ++i) event = fmt::format("{} ({})", name, i);
      events.emplace_back(notify, event);
      notifies.push_back(action_at(notify, choice.by_task, ActionKind::notify, event));
    }
    const ActionPlace& wait = forced[choice.precedence].waits[choice.wait];
    waits.push_back(action_at(wait, choice.by_task, ActionKind::wait, event));
  }
  notifies.insert(notifies.end(), waits.begin(), waits.end());
  return notifies;
}

std::vector<std::vector<Choice>> smaller_choices(const std::vector<Choice>& all, std::size_t most) {
  std::vector<std::vector<Choice>> result;
  const std::size_t count = all.size();
  if (count <= kFewPrecedences) {
    for (unsigned bits = 1; bits < (1U << count); ++bits) {
      std::vector<Choice> some;
      for (std::size_t i = 0; i < count; ++i) {
        if ((bits >> i & 1U) != 0) some.push_back(all[i]);
      }
      result.push_back(std::move(some));
    }
  } else {
    for (const Choice& one : all) result.push_back({one});
    for (std::size_t size = count / 2; size > 0; size /= 2) {
      for (std::size_t begin = 0; begin < count; begin += size) {
        std::vector<Choice> rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin));
        rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, count)), all.end());
        result.push_back(std::move(rest));
      }
    }
    result.push_back(all);
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (result.size() > most) result.erase(result.begin(), result.end() - static_cast<std::ptrdiff_t>(most));
  return result;
}

}  // namespace ravel
