// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/sync_order.h"

#include <algorithm>
#include <deque>

namespace ravel {

using Kind = GraphNode::Kind;

namespace {

constexpr int kManyPhases = 64;

bool holds(Comparison comparison, long left, long right) {
  switch (comparison) {
    case Comparison::equal:
      return left == right;
    case Comparison::unequal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::less_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_equal:
      return left >= right;
  }
  return false;
}

}  // namespace

SyncOrder::SyncOrder(const ProgramGraph& graph) : graph_(graph) {
  find_locks();
  find_creations();
  find_joins();
  find_counters();
  find_barriers();
  find_observations();
  find_passed();
  find_before();
}

std::vector<int> SyncOrder::nodes_of(Kind kind) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
    if (graph_.nodes()[i].kind == kind) found.push_back(static_cast<int>(i));
  }
  return found;
}

const BitSet& SyncOrder::reached(int node) const {
  const auto known = reached_.find(node);
  if (known != reached_.end()) return known->second;
  BitSet seen(graph_.nodes().size());
  std::vector<int> open = graph_.node(node).next;
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (seen.has(static_cast<std::size_t>(at))) continue;
    seen.add(static_cast<std::size_t>(at));
    open.insert(open.end(), graph_.node(at).next.begin(), graph_.node(at).next.end());
  }
  return reached_.emplace(node, std::move(seen)).first->second;
}

int SyncOrder::add_gate(Gate gate) {
  // The same arrivals make the same gate: whatever goes through one of its passes, on any path, has passed it.
  for (std::size_t i = 0; i < gates_.size(); ++i) {
    if (gates_[i] == gate) return static_cast<int>(i);
  }
  gates_.push_back(std::move(gate));
  return static_cast<int>(gates_.size()) - 1;
}

bool SyncOrder::avoids(int node, int other) const {
  std::set<int> seen;
  std::vector<int> open = graph_.node(node).previous;
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (at == other || !seen.insert(at).second) continue;
    if (at == graph_.thread(graph_.node(node).thread).entry) return true;
    open.insert(open.end(), graph_.node(at).previous.begin(), graph_.node(at).previous.end());
  }
  return false;
}

const std::vector<int>& SyncOrder::passed_at(int node) const {
  static const std::vector<int> kNone;
  const auto found = passes_.find(node);
  return found == passes_.end() ? kNone : found->second;
}

bool SyncOrder::same_cell(const Cell& a, const Cell& b) const {
  return graph_.is_exact(a) && graph_.is_exact(b) && a.object == b.object && a.path == b.path;
}

long SyncOrder::executions(int node) const {
  // A loop made with goto counts as unknown.
  if (graph_.node(node).trips == 1 && reached(node).has(static_cast<std::size_t>(node))) return 0;
  return graph_.node(node).trips * graph_.thread(graph_.node(node).thread).instances;
}

std::optional<long> SyncOrder::count_of(const Cell& cell) const {
  if (!cell.known()) return std::nullopt;
  if (cell.path.empty() && graph_.object(cell.object).variable >= 0) {
    return graph_.program().variables[static_cast<std::size_t>(graph_.object(cell.object).variable)].count;
  }
  const auto found = graph_.program().field_counts.find(cell.field);
  return found == graph_.program().field_counts.end() ? std::nullopt : found->second;
}

// ---- locks ----

void SyncOrder::find_locks() {
  for (const int node : nodes_of(Kind::lock)) {
    const Cell& cell = graph_.node(node).cell;
    const bool known =
        std::any_of(locks_.begin(), locks_.end(), [&](const Cell& lock) { return same_cell(lock, cell); });
    if (graph_.is_exact(cell) && !known) locks_.push_back(cell);
  }
  const std::size_t size = 2 * locks_.size();
  held_.assign(graph_.nodes().size(), BitSet(size, true));  // after the node
  std::deque<int> open;
  std::vector<bool> waits(graph_.nodes().size(), false);
  for (const GraphThread& thread : graph_.threads()) {
    if (thread.entry < 0) continue;
    held_[static_cast<std::size_t>(thread.entry)] = BitSet(size);
    for (const int next : graph_.node(thread.entry).next) open.push_back(next);
  }
  while (!open.empty()) {
    const int at = open.front();
    open.pop_front();
    const GraphNode& node = graph_.node(at);
    waits[static_cast<std::size_t>(at)] = false;
    BitSet after(size, true);
    for (const int previous : node.previous) after.keep_only(held_[static_cast<std::size_t>(previous)]);
    for (std::size_t lock = 0; lock < locks_.size(); ++lock) {
      if (node.kind == Kind::lock && same_cell(node.cell, locks_[lock])) {
        after.add(2 * lock);
        if (node.shared) {
          after.remove(2 * lock + 1);
        } else {
          after.add(2 * lock + 1);
        }
      }
      if (releases(node, static_cast<int>(lock))) {
        after.remove(2 * lock);
        after.remove(2 * lock + 1);
      }
    }
    if (after == held_[static_cast<std::size_t>(at)]) continue;
    held_[static_cast<std::size_t>(at)] = after;
    for (const int next : node.next) {
      if (waits[static_cast<std::size_t>(next)]) continue;
      waits[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    }
  }
}

bool SyncOrder::releases(const GraphNode& node, int lock) const {
  if (node.kind == Kind::unlock_all) return true;
  return node.kind == Kind::unlock && graph_.may_overlap(node.cell, locks_[static_cast<std::size_t>(lock)]);
}

HeldLock SyncOrder::held(int node, int lock) const {
  const BitSet& set = held_[static_cast<std::size_t>(node)];
  return {set.has(2 * static_cast<std::size_t>(lock)), set.has(2 * static_cast<std::size_t>(lock) + 1)};
}

bool SyncOrder::survives_section(int write, int lock) const {
  std::set<int> seen;
  std::vector<int> open = graph_.node(write).next;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const GraphNode& node = graph_.node(id);
    if (releases(node, lock) || id == graph_.thread(node.thread).exit) return true;
    // An exception that is caught releases locks on its way.
    if (node.kind == Kind::may_throw && graph_.program().catches) return true;
    if (graph_.overwrites(node) && graph_.covers(node.cell, graph_.node(write).cell)) continue;
    open.insert(open.end(), node.next.begin(), node.next.end());
  }
  return false;
}

// ---- gates ----

void SyncOrder::find_creations() {
  for (const GraphThread& thread : graph_.threads()) {
    if (thread.creations.empty()) continue;
    Gate gate;
    gate.any = true;
    for (const int creation : thread.creations) gate.arrivals.push_back({creation, false, true});
    pass(thread.entry, add_gate(std::move(gate)));
  }
}

bool SyncOrder::is_moved(const Cell& handle) const {
  if (!handle.known()) return true;
  const FlowProgram& program = graph_.program();
  const int variable = graph_.object(handle.object).variable;
  if (variable >= 0 && program.variables[static_cast<std::size_t>(variable)].moved) return true;
  return program.moved_fields.contains(handle.field);
}

void SyncOrder::find_joins() {
  // The last thread that was put into the handle on every path to the join.
  for (const int join : nodes_of(Kind::join)) {
    const Cell& handle = graph_.node(join).cell;
    if (!graph_.is_exact(handle) || is_moved(handle)) continue;
    std::set<int> found;
    bool clear = true;
    for (const int creation : nodes_of(Kind::create)) {
      const GraphNode& node = graph_.node(creation);
      if (!graph_.may_overlap(node.cell, handle)) continue;
      clear = clear && same_cell(node.cell, handle) && node.thread == graph_.node(join).thread;
      found.insert(creation);
    }
    if (found.empty() || !clear) continue;
    if (found.size() > 1) {
      std::set<int> last;
      std::set<int> seen;
      std::vector<int> open = graph_.node(join).previous;
      while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        if (!seen.insert(at).second) continue;
        if (found.contains(at)) {
          last.insert(at);
          continue;
        }
        open.insert(open.end(), graph_.node(at).previous.begin(), graph_.node(at).previous.end());
      }
      found = last;
    }
    if (found.size() != 1) continue;
    const GraphThread& thread = graph_.thread(graph_.node(*found.begin()).started);
    if (thread.creations.size() != 1 || thread.exit < 0) continue;
    // Joining what cannot be joined throws; a destructor that joins only a running thread needs a creation on every
    // path.
    const GraphNode& node = graph_.node(join);
    const bool certain = !node.optional || (!node.weak && !avoids(join, *found.begin()));
    Gate gate;
    gate.arrivals.push_back({thread.exit, false, certain});
    pass(join, add_gate(std::move(gate)));
  }
  for (const int join : nodes_of(Kind::join_all)) {
    const Cell& container = graph_.node(join).cell;
    if (!graph_.is_exact(container) || is_moved(container)) continue;
    std::vector<const GraphThread*> joined;
    long instances = 0;
    bool clear = true;
    for (const GraphThread& thread : graph_.threads()) {
      if (!thread.handle || !graph_.may_overlap(*thread.handle, container)) continue;
      clear =
          clear && thread.handle->known() && thread.handle->object == container.object && thread.creations.size() == 1;
      if (!clear) break;
      const int creation = thread.creations[0];
      clear = graph_.node(creation).thread == graph_.node(join).thread &&
              graph_.thread(graph_.node(join).thread).once() && !reached(join).has(static_cast<std::size_t>(creation));
      instances = thread.instances == 0 ? -1 : instances < 0 ? -1 : instances + thread.instances;
      joined.push_back(&thread);
    }
    const long number = graph_.node(join).number;
    if (!clear || (number >= 0 && (instances < 0 || instances > number))) continue;
    for (const GraphThread* thread : joined) {
      Gate gate;
      gate.arrivals.push_back({thread->exit, true, thread->certain});
      pass(join, add_gate(std::move(gate)));
    }
  }
}

// Semaphores from nothing, latches, promises and once flags.
void SyncOrder::find_counters() {
  const std::vector<int> arrivals = nodes_of(Kind::arrive);
  for (const int passing : nodes_of(Kind::pass)) {
    const GraphNode& node = graph_.node(passing);
    if (!graph_.is_exact(node.cell)) continue;
    Gate gate;
    gate.any = true;
    bool clear = true;
    long total = 0;
    for (const int arrival : arrivals) {
      const GraphNode& other = graph_.node(arrival);
      if (!graph_.may_overlap(other.cell, node.cell)) continue;
      clear = clear && same_cell(other.cell, node.cell);
      const long times = executions(arrival) * other.number;
      total = times <= 0 || total < 0 ? -1 : total + times;
      gate.arrivals.push_back({arrival, false, true});
    }
    if (!clear || gate.arrivals.empty()) continue;
    const bool latch = node.cell.type.find("latch") != std::string::npos;
    // A promise that is destroyed without a value also releases its waiters: it must live as long as main.
    const GraphObject& object = graph_.object(node.cell.object);
    const bool promise = node.cell.type.find("promise") != std::string::npos && object.thread <= 0;
    if (latch) {
      const auto count = count_of(node.cell);
      if (!count || total < 0 || total > *count) continue;
      gate.any = false;
      for (Gate::Arrival& arrival : gate.arrivals) arrival.all_instances = true;
    } else if (!promise && !node.once_flag && count_of(node.cell) != 0) {
      continue;
    }
    pass(passing, add_gate(std::move(gate)));
  }
}

// If no more threads use a barrier than it waits for, the n-th waits of all of them belong together.
void SyncOrder::find_barriers() {
  std::vector<int> waits = nodes_of(Kind::barrier);
  const std::vector<int> spoils = nodes_of(Kind::spoil);
  while (!waits.empty()) {
    const Cell cell = graph_.node(waits.front()).cell;
    std::vector<int> own;
    std::vector<int> rest;
    bool clear = graph_.is_exact(cell);
    for (const int wait : waits) {
      const Cell& other = graph_.node(wait).cell;
      if (wait == waits.front() || graph_.may_overlap(other, cell)) {
        own.push_back(wait);
        clear = clear && same_cell(other, cell);
      } else {
        rest.push_back(wait);
      }
    }
    waits = rest;
    for (const int spoil : spoils) clear = clear && !graph_.may_overlap(graph_.node(spoil).cell, cell);
    const auto count = count_of(cell);
    if (!clear || !count) continue;
    std::set<int> threads;
    long instances = 0;
    for (const int wait : own) {
      const int thread = graph_.node(wait).thread;
      if (!threads.insert(thread).second) continue;
      instances =
          graph_.thread(thread).instances == 0 || instances < 0 ? -1 : instances + graph_.thread(thread).instances;
    }
    if (instances < 0 || instances > *count) continue;
    // How many waits precede each one.
    std::map<int, int> phase;
    for (const int wait : own) {
      if (reached(wait).has(static_cast<std::size_t>(wait))) clear = false;
    }
    if (!clear) continue;
    for (std::size_t round = 0; round < own.size() + 1; ++round) {
      for (const int wait : own) {
        // Waits of one thread that are not in a loop are ordered by reaching each other.
        int longest = 0;
        for (const int other : own) {
          if (graph_.node(other).thread == graph_.node(wait).thread &&
              reached(other).has(static_cast<std::size_t>(wait))) {
            longest = std::max(longest, phase[other] + 1);
          }
        }
        phase[wait] = std::min(longest, kManyPhases);
      }
    }
    // The same number on every path: without the waits of the previous phase, nothing leads here.
    for (const int wait : own) {
      if (phase[wait] == 0) continue;
      std::set<int> seen;
      std::vector<int> open = graph_.node(wait).previous;
      while (!open.empty() && clear) {
        const int at = open.back();
        open.pop_back();
        if (!seen.insert(at).second) continue;
        const auto other = phase.find(at);
        if (other != phase.end()) {
          clear = clear && other->second == phase[wait] - 1;
          continue;
        }
        clear = clear && at != graph_.thread(graph_.node(wait).thread).entry;
        open.insert(open.end(), graph_.node(at).previous.begin(), graph_.node(at).previous.end());
      }
    }
    if (!clear) continue;
    for (int number = 0; number < kManyPhases; ++number) {
      std::map<int, std::vector<int>> by_thread;
      for (const int wait : own) {
        if (phase[wait] == number) by_thread[graph_.node(wait).thread].push_back(wait);
      }
      if (by_thread.empty()) break;
      Gate gate;
      for (const auto& [thread, nodes] : by_thread) {
        if (nodes.size() == 1) gate.arrivals.push_back({nodes[0], true, true});
      }
      const int id = add_gate(std::move(gate));
      for (const auto& [thread, nodes] : by_thread) {
        for (const int node : nodes) pass(node, id);
      }
    }
  }
}

// A flag that is seen with a value which only some writes give it.
void SyncOrder::find_observations() {
  const std::vector<int> writes = nodes_of(Kind::write);
  for (const int seen : nodes_of(Kind::observe)) {
    const GraphNode& node = graph_.node(seen);
    if (!graph_.is_exact(node.cell)) continue;
    Gate gate;
    gate.any = true;
    bool clear = true;
    for (const int write : writes) {
      const GraphNode& other = graph_.node(write);
      if (!graph_.may_overlap(other.cell, node.cell)) continue;
      clear = clear && same_cell(other.cell, node.cell) && other.constant;
      if (clear && holds(node.comparison, *other.constant, node.number)) gate.arrivals.push_back({write, false, true});
    }
    const int variable = graph_.object(node.cell.object).variable;
    if (variable >= 0) {
      const FlowVariable& root = graph_.program().variables[static_cast<std::size_t>(variable)];
      if (root.is_static) {
        clear = clear && node.cell.path.empty() && root.initial && !holds(node.comparison, *root.initial, node.number);
      }
    }
    if (!clear || gate.arrivals.empty()) continue;
    // Under a lock only those are seen that are still there when their critical section ends.
    for (std::size_t lock = 0; lock < locks_.size(); ++lock) {
      const HeldLock here = held(seen, static_cast<int>(lock));
      if (!here.held) continue;
      std::erase_if(gate.arrivals, [&](const Gate::Arrival& arrival) {
        const HeldLock there = held(arrival.node, static_cast<int>(lock));
        return graph_.node(arrival.node).thread != node.thread && there.held && (there.exclusive || here.exclusive) &&
               !survives_section(arrival.node, static_cast<int>(lock));
      });
    }
    if (gate.arrivals.empty()) continue;
    bool ordered = node.atomic && node.ordered;
    for (const Gate::Arrival& arrival : gate.arrivals) {
      const GraphNode& write = graph_.node(arrival.node);
      ordered = ordered && write.atomic && write.ordered;
    }
    for (std::size_t lock = 0; lock < locks_.size() && !ordered; ++lock) {
      const HeldLock here = held(seen, static_cast<int>(lock));
      ordered = here.held;
      for (const Gate::Arrival& arrival : gate.arrivals) {
        const HeldLock there = held(arrival.node, static_cast<int>(lock));
        ordered = ordered && there.held && (there.exclusive || here.exclusive);
      }
    }
    if (ordered) pass(seen, add_gate(std::move(gate)));
  }
}

void SyncOrder::find_passed() {
  passed_.assign(graph_.nodes().size(), BitSet(gates_.size(), true));
  std::deque<int> open;
  const auto passes = [&](int at, BitSet& set) {
    for (const int gate : passed_at(at)) set.add(static_cast<std::size_t>(gate));
  };
  for (const GraphThread& thread : graph_.threads()) {
    if (thread.entry < 0) continue;
    BitSet first(gates_.size());
    passes(thread.entry, first);
    passed_[static_cast<std::size_t>(thread.entry)] = first;
    for (const int next : graph_.node(thread.entry).next) open.push_back(next);
  }
  while (!open.empty()) {
    const int at = open.front();
    open.pop_front();
    BitSet after(gates_.size(), true);
    for (const int previous : graph_.node(at).previous) after.keep_only(passed_[static_cast<std::size_t>(previous)]);
    passes(at, after);
    if (after == passed_[static_cast<std::size_t>(at)]) continue;
    passed_[static_cast<std::size_t>(at)] = after;
    for (const int next : graph_.node(at).next) open.push_back(next);
  }
}

// What an arrival brings is what was before it: a barrier's wait passes too, but later.
BitSet SyncOrder::passed_before(int node) const {
  if (passed_at(node).empty()) return passed_[static_cast<std::size_t>(node)];
  const std::vector<int>& previous = graph_.node(node).previous;
  BitSet result(gates_.size(), !previous.empty());
  for (const int at : previous) result.keep_only(passed_[static_cast<std::size_t>(at)]);
  return result;
}

bool SyncOrder::before_arrival(int first, const Gate::Arrival& arrival) const {
  const GraphNode& node = graph_.node(arrival.node);
  if (graph_.node(first).thread == node.thread && (graph_.thread(node.thread).once() || arrival.all_instances) &&
      (first == arrival.node || !reached(arrival.node).has(static_cast<std::size_t>(first)))) {
    return true;
  }
  const BitSet passed = passed_before(arrival.node);
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    if (passed.has(g) && before_[g].has(static_cast<std::size_t>(first))) return true;
  }
  return false;
}

void SyncOrder::find_before() {
  const std::size_t size = graph_.nodes().size();
  before_.assign(gates_.size(), BitSet(size));
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t g = 0; g < gates_.size(); ++g) {
      const Gate& gate = gates_[g];
      BitSet sum(size, gate.any);
      for (const Gate::Arrival& arrival : gate.arrivals) {
        BitSet known(size);
        const GraphNode& node = graph_.node(arrival.node);
        if (graph_.thread(node.thread).once() || arrival.all_instances) {
          const BitSet& later = reached(arrival.node);
          for (std::size_t i = 0; i < size; ++i) {
            if (graph_.nodes()[i].thread == node.thread && !later.has(i)) known.add(i);
          }
          known.add(static_cast<std::size_t>(arrival.node));
        }
        const BitSet passed = passed_before(arrival.node);
        for (std::size_t h = 0; h < gates_.size(); ++h) {
          if (passed.has(h)) known.add_all(before_[h]);
        }
        if (gate.any) {
          sum.keep_only(known);
        } else {
          sum.add_all(known);
        }
      }
      if (!gate.arrivals.empty() && before_[g].add_all(sum)) changed = true;
    }
  }
}

bool SyncOrder::before(int first, int second) const {
  for (std::size_t g = 0; g < gates_.size(); ++g) {
    if (passed_[static_cast<std::size_t>(second)].has(g) && before_[g].has(static_cast<std::size_t>(first)))
      return true;
  }
  return false;
}

}  // namespace ravel
