// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/order_proof.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>

namespace ravel {
namespace {

constexpr std::size_t kMostNodes = 3000;

struct Section {
  TaskId task = 0;
  std::size_t lock = 0;
  std::optional<std::size_t> unlock;
};

class Graph {
 public:
  Graph(const ObservedExecution& execution, std::span<const ReadChoice> choices)
      : execution_(execution), choices_(choices), edges_(execution.events.size()) {}

  std::optional<std::vector<OrderEdge>> run() {
    add_what_is_given();
    if (nodes_ > kMostNodes) return std::nullopt;
    for (const ReadChoice& choice : choices_) {
      if (choice.write >= 0) {
        if (add(static_cast<std::size_t>(choice.write), choice.read, OrderRule::reads_from)) return cycle_;
        continue;
      }
      for (const std::size_t other : writes_of(choice)) {
        if (add(choice.read, other, OrderRule::hidden, choice.read)) return cycle_;
      }
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (const ReadChoice& choice : choices_) {
        if (choice.write < 0) continue;
        const auto write = static_cast<std::size_t>(choice.write);
        for (const std::size_t other : writes_of(choice)) {
          if (reaches(other, choice.read) && !reaches(other, write)) {
            if (add(other, write, OrderRule::hidden, choice.read)) return cycle_;
            grown = true;
          }
          if (reaches(write, other) && !reaches(choice.read, other)) {
            if (add(choice.read, other, OrderRule::hidden, choice.read)) return cycle_;
            grown = true;
          }
        }
      }
      for (const auto& [object, sections] : sections_) {
        for (const Section& first : sections) {
          for (const Section& second : sections) {
            if (first.task == second.task || !first.unlock || !second.unlock) continue;
            if (!reaches(first.lock, *second.unlock) || reaches(*first.unlock, second.lock)) continue;
            if (add(*first.unlock, second.lock, OrderRule::lock_order)) return cycle_;
            grown = true;
          }
        }
      }
    }
    return std::nullopt;
  }

 private:
  const ObservedEvent& event(std::size_t i) const { return execution_.events[i]; }

  std::vector<std::size_t> writes_of(const ReadChoice& choice) const {
    std::vector<std::size_t> result;
    const ObservedEvent& read = event(choice.read);
    const auto all = writes_.find(read.variable);
    if (all == writes_.end()) return result;
    for (const std::size_t i : all->second) {
      const bool is_it = choice.write >= 0 && i == static_cast<std::size_t>(choice.write);
      if (!is_it && i != choice.read && overlap(event(i).operation, read.operation)) result.push_back(i);
    }
    return result;
  }

  void add_what_is_given() {
    std::set<std::uint32_t> variables;
    for (const ReadChoice& choice : choices_) variables.insert(event(choice.read).variable);
    std::map<TaskId, std::size_t> last;
    std::map<std::uint64_t, std::size_t> created;
    std::map<std::uint64_t, std::size_t> ended;
    std::map<std::uint64_t, std::vector<std::size_t>> arrivals;
    for (std::size_t i = 0; i < execution_.events.size(); ++i) {
      const ObservedEvent& one = event(i);
      const Operation& operation = one.operation;
      const bool memory = is_memory_access(operation.kind);
      const bool matters = memory ? variables.contains(one.variable)
                                  : operation_role(operation.kind) != OperationRole::local || one.number == 1;
      if (!matters) continue;
      ++nodes_;
      if (const auto before = last.find(one.task()); before != last.end()) {
        edges_[before->second].push_back({before->second, i, OrderRule::program_order, 0});
      } else if (const auto creator = created.find(one.task()); creator != created.end()) {
        edges_[creator->second].push_back({creator->second, i, OrderRule::creation, 0});
      }
      last[one.task()] = i;
      if (memory && one.writes) writes_[one.variable].push_back(i);
      if (operation.kind == OperationKind::task_create) created[operation.object] = i;
      if (operation.kind == OperationKind::task_end) ended[operation.task] = i;
      if (operation.kind == OperationKind::task_join) {
        if (const auto end = ended.find(operation.object); end != ended.end()) {
          edges_[end->second].push_back({end->second, i, OrderRule::join, 0});
        }
      }
      if (operation.kind == OperationKind::barrier_wait) {
        if (operation.value == 1) {
          for (const std::size_t other : arrivals[operation.object]) {
            edges_[other].push_back({other, i, OrderRule::barrier, 0});
          }
        } else {
          arrivals[operation.object].push_back(i);
        }
      }
      if (operation.kind == OperationKind::mutex_lock || operation.kind == OperationKind::spin_lock ||
          operation.kind == OperationKind::rwlock_write_lock) {
        sections_[operation.object].push_back({one.task(), i, std::nullopt});
      } else if (releases_lock(operation.kind)) {
        std::vector<Section>& sections = sections_[operation.object];
        for (std::size_t s = sections.size(); s-- > 0;) {
          if (sections[s].task != one.task()) continue;
          if (!sections[s].unlock) sections[s].unlock = i;
          break;
        }
      }
    }
  }

  std::optional<std::vector<OrderEdge>> way(std::size_t from, std::size_t to) const {
    std::map<std::size_t, OrderEdge> came;
    std::deque<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t at = open.front();
      open.pop_front();
      for (const OrderEdge& edge : edges_[at]) {
        if (edge.after == from || came.contains(edge.after)) continue;
        came.emplace(edge.after, edge);
        if (edge.after == to) {
          std::vector<OrderEdge> result;
          for (std::size_t back = to; back != from;) {
            result.push_back(came.at(back));
            back = result.back().before;
          }
          std::reverse(result.begin(), result.end());
          return result;
        }
        open.push_back(edge.after);
      }
    }
    return std::nullopt;
  }

  bool reaches(std::size_t from, std::size_t to) const { return from == to || way(from, to).has_value(); }

  // True when that closes a cycle.
  bool add(std::size_t before, std::size_t after, OrderRule rule, std::size_t read = 0) {
    std::optional<std::vector<OrderEdge>> back;
    if (before == after) {
      back.emplace();
    } else {
      back = way(after, before);
    }
    edges_[before].push_back({before, after, rule, read});
    if (!back) return false;
    back->push_back({before, after, rule, read});
    cycle_ = std::move(back);
    return true;
  }

  const ObservedExecution& execution_;
  std::span<const ReadChoice> choices_;
  std::vector<std::vector<OrderEdge>> edges_;
  std::map<std::uint32_t, std::vector<std::size_t>> writes_;
  std::map<std::uint64_t, std::vector<Section>> sections_;
  std::optional<std::vector<OrderEdge>> cycle_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::optional<std::vector<OrderEdge>> find_cycle(const ObservedExecution& execution,
                                                 std::span<const ReadChoice> choices) {
  return Graph(execution, choices).run();
}

const char* rule_text(OrderRule rule) {
  switch (rule) {
    case OrderRule::program_order:
      return "program order";
    case OrderRule::creation:
      return "creation";
    case OrderRule::join:
      return "join";
    case OrderRule::barrier:
      return "barrier";
    case OrderRule::reads_from:
      return "reads from";
    case OrderRule::hidden:
      return "hidden";
    case OrderRule::lock_order:
      return "lock order";
  }
  return "";
}

std::string event_text(const ObservedExecution& execution, std::size_t event) {
  const ObservedEvent& one = execution.events[event];
  const std::string& place = execution.places[one.place].text;
  // The code of these two is the library's.
  if (one.operation.kind == OperationKind::task_start) return fmt::format("T{} begins", one.task());
  if (one.operation.kind == OperationKind::task_end) return fmt::format("T{} ends", one.task());
  if (!is_memory_access(one.operation.kind)) {
    return fmt::format("T{} {} at {}", one.task(), operation_name(one.operation.kind), place);
  }
  const std::string& name = execution.variables[one.variable].name;
  const char* const verb = one.reads && one.writes ? "updates" : one.writes ? "writes" : "reads";
  return fmt::format("T{} {} {} at {}", one.task(), verb, name.empty() ? "memory" : name, place);
}

std::string cycle_text(const ObservedExecution& execution, std::span<const OrderEdge> cycle) {
  if (cycle.empty()) return {};
  // The cycle begins with an edge other than program order.
  std::size_t start = 0;
  while (start < cycle.size() && cycle[start].rule == OrderRule::program_order) ++start;
  std::string text;
  const std::size_t count = cycle.size();
  for (std::size_t n = 0; n < count; ++n) {
    const OrderEdge& edge = cycle[(start + n) % count];
    if (n == 0) text = event_text(execution, edge.before);
    // Of a stretch of one task only the ends are mentioned.
    const OrderEdge& next = cycle[(start + n + 1) % count];
    if (edge.rule == OrderRule::program_order && next.rule == OrderRule::program_order && n + 1 < count) continue;
    const ObservedEvent& read = execution.events[edge.read];
    const std::string why = edge.rule == OrderRule::hidden
                                ? fmt::format("else the read of T{} at {} would see the wrong write", read.task(),
                                              execution.places[read.place].text)
                                : rule_text(edge.rule);
    text += fmt::format(" -> {} ({})", event_text(execution, edge.after), why);
  }
  return text;
}

bool ShortestCycle::look_at(const ObservedExecution& execution, std::span<const ReadChoice> choices) {
  const auto cycle = find_cycle(execution, choices);
  if (cycle && cycle->size() < length_) {
    length_ = cycle->size();
    text_ = cycle_text(execution, *cycle);
  }
  return cycle.has_value();
}

}  // namespace ravel
