// SPDX-License-Identifier: Apache-2.0
#include "driver/generate/call_pairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/random.h"
#include "strategies/dependence.h"
#include "strategies/search_prefix.h"

namespace ravel {
namespace {

// Of the steps on one object, those that are compared with each other: all pairs of them are looked at.
constexpr std::size_t kMostOfAnObject = 256;

using CallIndex = std::ptrdiff_t;

struct CallTable {
  std::vector<ExecutedCall> calls;
  std::vector<CallIndex> innermost;  // by step: the call that it is part of, or -1
};

CallTable table_of(const PartialOrder& order) {
  CallTable table;
  table.innermost.assign(order.size(), -1);
  std::vector<CallIndex> open(order.tasks(), -1);  // the innermost call of each task
  std::vector<std::set<std::uint64_t>> places;     // by call
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Operation& operation = order[i].operation;
    CallIndex& current = open[operation.task];
    if (operation.kind == OperationKind::call_begin) {
      ExecutedCall call;
      call.function = operation.pc;
      call.call = {operation.task, static_cast<std::uint32_t>(operation.value)};
      call.begin = i;
      call.last = i;
      call.outer = current;
      current = static_cast<CallIndex>(table.calls.size());
      table.calls.push_back(call);
      places.emplace_back();
      table.innermost[i] = call.outer;
      continue;
    }
    if (operation.kind == OperationKind::call_end) {
      // Calls that were jumped out of end with it.
      while (current >= 0 && !table.calls[static_cast<std::size_t>(current)].call.ends_with(operation)) {
        current = table.calls[static_cast<std::size_t>(current)].outer;
      }
      if (current >= 0) current = table.calls[static_cast<std::size_t>(current)].outer;
      table.innermost[i] = current;
      continue;
    }
    table.innermost[i] = current;
    for (CallIndex at = current; at >= 0; at = table.calls[static_cast<std::size_t>(at)].outer) {
      ExecutedCall& call = table.calls[static_cast<std::size_t>(at)];
      call.last = i;
      ++call.steps;
      places[static_cast<std::size_t>(at)].insert(hash_mix(operation.pc, static_cast<std::uint64_t>(operation.kind)));
    }
  }
  for (const ExecutedCall& call : table.calls) {
    if (call.outer < 0) continue;
    ExecutedCall& outer = table.calls[static_cast<std::size_t>(call.outer)];
    outer.wraps = outer.wraps || outer.steps == call.steps;
  }
  for (std::size_t i = 0; i < table.calls.size(); ++i) {
    for (const std::uint64_t place : places[i]) table.calls[i].path = hash_mix(table.calls[i].path, place);
  }
  return table;
}

bool may_overlap(const PartialOrder& order, const ExecutedCall& a, const ExecutedCall& b) {
  return !order.before(a.last, b.begin) && !order.before(b.last, a.begin);
}

// All that happens before one of the two calls, in the order in which it happened.
SearchWindow window_of(const PartialOrder& order, const ExecutedCall& a, const ExecutedCall& b) {
  SearchWindow window;
  window.call[0] = a.call;
  window.call[1] = b.call;
  const auto append_choices = [&](const std::vector<PartialOrder::Choice>& choices) {
    for (const PartialOrder::Choice& choice : choices) {
      append_choice(window.prefix, choice.kind, choice.detail, choice.taken);
    }
  };
  append_choices(order.first_choices());
  for (std::size_t i = 0; i < std::max(a.begin, b.begin); ++i) {
    const bool needed = (i != a.begin && order.before(i, a.begin)) || (i != b.begin && order.before(i, b.begin));
    if (!needed) continue;
    append_task(window.prefix, order[i].task());
    append_choices(order[i].choices);
    ++window.steps;
  }
  return window;
}

// What two calls do that conflicts.
struct Conflicts {
  std::set<std::uint64_t> places;
  bool innermost = false;
};

// The steps that may conflict with others, by what they are about.
std::map<std::uint64_t, std::vector<std::size_t>> steps_by_object(const PartialOrder& order, const CallTable& table) {
  std::map<std::uint64_t, std::vector<std::size_t>> objects;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Operation& operation = order[i].operation;
    if (table.innermost[i] < 0 || operation_role(operation.kind) == OperationRole::local) continue;
    if (names_a_task(operation.kind)) continue;
    std::vector<std::size_t>& steps = objects[operation.object >> 3];
    if (steps.size() < kMostOfAnObject) steps.push_back(i);
  }
  return objects;
}

}  // namespace

std::vector<ExecutedCall> calls_of(const PartialOrder& order) { return table_of(order).calls; }

std::vector<ParallelCalls> parallel_calls(const PartialOrder& order, const std::function<bool(std::uint64_t)>& wanted) {
  const CallTable table = table_of(order);
  const auto call = [&](CallIndex at) -> const ExecutedCall& { return table.calls[static_cast<std::size_t>(at)]; };
  std::map<std::pair<CallIndex, CallIndex>, Conflicts> pairs;
  for (const auto& [object, steps] : steps_by_object(order, table)) {
    for (std::size_t n = 0; n < steps.size(); ++n) {
      for (std::size_t m = n + 1; m < steps.size(); ++m) {
        const PartialOrder::Event& first = order[steps[n]];
        const PartialOrder::Event& second = order[steps[m]];
        if (first.task() == second.task()) continue;
        if (!dependent(first.operation, second.operation, order.weak_memory())) continue;
        const std::uint64_t place = hash_mix(std::min(first.operation.pc, second.operation.pc),
                                             std::max(first.operation.pc, second.operation.pc));
        for (CallIndex a = table.innermost[steps[n]]; a >= 0; a = call(a).outer) {
          for (CallIndex b = table.innermost[steps[m]]; b >= 0; b = call(b).outer) {
            if (call(a).wraps || call(b).wraps) continue;
            Conflicts& conflicts = pairs[std::minmax(a, b)];
            conflicts.places.insert(place);
            if (a == table.innermost[steps[n]] && b == table.innermost[steps[m]]) conflicts.innermost = true;
          }
        }
      }
    }
  }
  std::vector<ParallelCalls> found;
  std::set<std::uint64_t> keys;
  for (const auto& [calls, conflicts] : pairs) {
    const ExecutedCall* a = &call(calls.first);
    const ExecutedCall* b = &call(calls.second);
    if (std::pair(a->function, a->path) > std::pair(b->function, b->path)) std::swap(a, b);
    if (!may_overlap(order, *a, *b)) continue;
    std::uint64_t key = hash_mix(hash_mix(a->function, a->path), hash_mix(b->function, b->path));
    for (const std::uint64_t place : conflicts.places) key = hash_mix(key, place);
    if (!keys.insert(key).second || !wanted(key)) continue;
    ParallelCalls pair;
    pair.functions[0] = a->function;
    pair.functions[1] = b->function;
    pair.key = key;
    pair.innermost = conflicts.innermost;
    pair.steps = a->steps + b->steps;
    pair.window = window_of(order, *a, *b);
    found.push_back(std::move(pair));
  }
  return found;
}

}  // namespace ravel
