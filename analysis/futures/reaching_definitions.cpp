// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/reaching_definitions.h"

#include <algorithm>
#include <deque>
#include <map>

namespace ravel {

using Kind = GraphNode::Kind;

namespace {

// Each round may use what the previous one proved; after a few rounds nothing new is proved.
constexpr int kRounds = 4;

std::string at(const SourcePlace& place) {
  return place.file.substr(place.file.rfind('/') + 1) + ":" + std::to_string(place.line);
}

}  // namespace

ReachingDefinitions::ReachingDefinitions(const ProgramGraph& graph, const SyncOrder& order)
    : graph_(graph), order_(order) {
  collect();
  std::vector<BitSet> earlier;
  flow(nullptr);
  for (int round = 1; round < kRounds; ++round) {
    earlier = come_;
    flow(&earlier);
    if (earlier == come_) break;
  }
}

bool ReachingDefinitions::is_shared(const Cell& cell) const {
  std::set<int> threads;
  bool written = false;
  bool several = false;
  for (const GraphNode& node : graph_.nodes()) {
    if ((node.kind != Kind::read && node.kind != Kind::write) || !graph_.may_overlap(node.cell, cell)) continue;
    threads.insert(node.thread);
    written = written || node.kind == Kind::write;
    // Every instance of a thread has its own of what the thread makes.
    const bool own = node.cell.known() && graph_.object(node.cell.object).thread == node.thread;
    several = several || (!graph_.thread(node.thread).once() && !own);
  }
  return written && (several || threads.size() > 1);
}

void ReachingDefinitions::collect() {
  std::map<std::string, bool> known;
  const auto shared = [&](const Cell& cell) {
    std::string key = std::to_string(cell.object) + "|" + cell.field + "|" + cell.type;
    for (const std::string& part : cell.path) key += "." + part;
    const auto [entry, is_new] = known.emplace(key, false);
    if (is_new) entry->second = is_shared(cell);
    return std::pair(entry->second, is_new);
  };
  generated_.resize(graph_.nodes().size());
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
    const GraphNode& node = graph_.nodes()[i];
    if (node.kind != Kind::read) continue;
    const auto [is, is_new] = shared(node.cell);
    if (!is) continue;
    reads_.push_back(static_cast<int>(i));
    if (is_new) cells.push_back(node.cell);
  }
  // Static variables have a value before anything is written, others have none.
  for (const Cell& cell : cells) {
    if (!cell.known()) continue;
    const int variable = graph_.object(cell.object).variable;
    const bool is_static = variable >= 0 && graph_.program().variables[static_cast<std::size_t>(variable)].is_static;
    definitions_.push_back({-1, cell, !is_static});
  }
  // Where it is not known which object is read: those of all static variables that it may be.
  std::set<std::string> added;
  for (const Cell& cell : cells) {
    if (cell.known()) continue;
    for (const GraphNode& node : graph_.nodes()) {
      if ((node.kind != Kind::read && node.kind != Kind::write) || !node.cell.known()) continue;
      const int root = graph_.object(node.cell.object).variable;
      if (root < 0 || !graph_.program().variables[static_cast<std::size_t>(root)].is_static) continue;
      if (!graph_.may_overlap(node.cell, cell)) continue;
      const bool there = std::any_of(definitions_.begin(), definitions_.end(), [&](const Definition& definition) {
        return !definition.nothing && definition.cell.object == node.cell.object &&
               definition.cell.path == node.cell.path;
      });
      if (!there) definitions_.push_back({-1, node.cell});
    }
  }
  for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
    const GraphNode& node = graph_.nodes()[i];
    if (node.kind != Kind::write) continue;
    const bool read =
        std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return graph_.may_overlap(cell, node.cell); });
    if (!read) continue;
    generated_[i].push_back(definitions_.size());
    definitions_.push_back({static_cast<int>(i), node.cell});
  }
}

// Whoever passes the gate knows that the definition has been overwritten.
bool ReachingDefinitions::overwritten(std::size_t definition, const Gate& gate,
                                      const std::vector<BitSet>& earlier) const {
  const int node = definitions_[definition].node;
  const auto gone = [&](const Gate::Arrival& arrival) {
    return arrival.certain && !earlier[static_cast<std::size_t>(arrival.node)].has(definition) &&
           (node < 0 || order_.before_arrival(node, arrival));
  };
  if (gate.arrivals.empty()) return false;
  return gate.any ? std::all_of(gate.arrivals.begin(), gate.arrivals.end(), gone)
                  : std::any_of(gate.arrivals.begin(), gate.arrivals.end(), gone);
}

void ReachingDefinitions::flow(const std::vector<BitSet>* earlier) {
  const std::size_t size = definitions_.size();
  const std::size_t count = graph_.nodes().size();
  in_.assign(count, BitSet(size));
  out_.assign(count, BitSet(size));
  come_.assign(count, BitSet(size));
  // Which nodes must be visited again when a node's result grows, besides its successors.
  std::vector<std::vector<int>> listeners(count);
  std::vector<BitSet> gone(order_.gates().size(), BitSet(size));
  for (std::size_t i = 0; i < count; ++i) {
    for (const int gate : order_.passed_at(static_cast<int>(i))) {
      for (const Gate::Arrival& arrival : order_.gates()[static_cast<std::size_t>(gate)].arrivals) {
        listeners[static_cast<std::size_t>(arrival.node)].push_back(static_cast<int>(i));
      }
    }
  }
  if (earlier != nullptr) {
    for (std::size_t g = 0; g < order_.gates().size(); ++g) {
      for (std::size_t d = 0; d < size; ++d) {
        if (overwritten(d, order_.gates()[g], *earlier)) gone[g].add(d);
      }
    }
  }
  std::vector<std::vector<std::size_t>> killed(count);
  for (std::size_t i = 0; i < count; ++i) {
    const GraphNode& node = graph_.nodes()[i];
    if (!graph_.overwrites(node)) continue;
    for (std::size_t d = 0; d < size; ++d) {
      if (graph_.covers(node.cell, definitions_[d].cell)) killed[i].push_back(d);
    }
  }
  std::deque<int> open;
  std::vector<bool> waits(count, true);
  for (std::size_t i = 0; i < count; ++i) open.push_back(static_cast<int>(i));
  const int first = graph_.thread(0).entry;
  while (!open.empty()) {
    const auto i = static_cast<std::size_t>(open.front());
    open.pop_front();
    waits[i] = false;
    const GraphNode& node = graph_.nodes()[i];
    BitSet set(size);
    for (const int previous : node.previous) set.add_all(out_[static_cast<std::size_t>(previous)]);
    if (static_cast<int>(i) == first) {
      for (std::size_t d = 0; d < size; ++d) {
        if (definitions_[d].node < 0) set.add(d);
      }
    }
    BitSet own = set;
    for (const std::size_t d : killed[i]) own.remove(d);
    for (const std::size_t d : generated_[i]) own.add(d);
    const bool more = own != come_[i];
    come_[i] = std::move(own);
    BitSet news(size);
    BitSet lost(size);
    for (const int gate : order_.passed_at(static_cast<int>(i))) {
      lost.add_all(gone[static_cast<std::size_t>(gate)]);
      for (const Gate::Arrival& arrival : order_.gates()[static_cast<std::size_t>(gate)].arrivals) {
        news.add_all(come_[static_cast<std::size_t>(arrival.node)]);
      }
    }
    set.add_all(news);
    set.remove_all(lost);
    in_[i] = set;
    for (const std::size_t d : killed[i]) set.remove(d);
    for (const std::size_t d : generated_[i]) set.add(d);
    const auto again = [&](int next) {
      if (waits[static_cast<std::size_t>(next)]) return;
      waits[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    };
    if (more) std::for_each(listeners[i].begin(), listeners[i].end(), again);
    if (set == out_[i]) continue;
    out_[i] = set;
    std::for_each(node.next.begin(), node.next.end(), again);
  }
}

int ReachingDefinitions::hiding_write(int read, int lock) const {
  const Cell& target = order_.locks()[static_cast<std::size_t>(lock)];
  int found = -1;
  std::set<int> seen;
  std::vector<int> open = graph_.node(read).previous;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const GraphNode& node = graph_.node(id);
    if (graph_.overwrites(node) && graph_.covers(node.cell, graph_.node(read).cell)) {
      found = id;
      continue;
    }
    const bool begins = node.kind == Kind::lock && graph_.may_overlap(node.cell, target);
    if (begins || id == graph_.thread(node.thread).entry || order_.releases(node, lock)) return -1;
    open.insert(open.end(), node.previous.begin(), node.previous.end());
  }
  return found;
}

ReachingDefinitions::Seen ReachingDefinitions::judge(std::size_t index, int read, std::string& reason) const {
  const Definition& definition = definitions_[index];
  const bool comes = in_[static_cast<std::size_t>(read)].has(index);
  const GraphNode& reader = graph_.node(read);
  const int write = definition.node;
  if (write < 0) {
    reason = "overwritten before the read";
    return comes ? Seen::ordered : Seen::not_seen;
  }
  const GraphNode& writer = graph_.node(write);
  // Another thread, or another instance of this one that works on the same object.
  bool parallel = writer.thread != reader.thread;
  if (!parallel && !graph_.thread(writer.thread).once()) {
    const bool own =
        definition.cell.known() && reader.cell.known() && graph_.object(definition.cell.object).thread == writer.thread;
    parallel = !own;
  }
  if (!parallel) {
    reason = "overwritten before the read, or comes after it";
    return comes ? Seen::ordered : Seen::not_seen;
  }
  if (order_.before(write, read)) {
    reason = "overwritten before the read";
    return comes ? Seen::ordered : Seen::not_seen;
  }
  if (order_.before(read, write)) {
    reason = "comes after the read";
    return comes ? Seen::ordered : Seen::not_seen;
  }
  for (std::size_t i = 0; i < order_.locks().size(); ++i) {
    const int lock = static_cast<int>(i);
    const HeldLock here = order_.held(read, lock);
    const HeldLock there = order_.held(write, lock);
    if (!here.held || !there.held || (!here.exclusive && !there.exclusive)) continue;
    if (!order_.survives_section(write, lock)) {
      reason = "overwritten before its critical section of " + graph_.name(order_.locks()[i]) + " ends";
      return comes ? Seen::ordered : Seen::not_seen;
    }
    const int hiding = hiding_write(read, lock);
    if (hiding >= 0) {
      reason = "hidden by " + at(graph_.node(hiding).where) + " in the read's own critical section of " +
               graph_.name(order_.locks()[i]);
      return comes ? Seen::ordered : Seen::not_seen;
    }
  }
  return Seen::concurrent;
}

bool ReachingDefinitions::is_initial(const Definition& definition) const {
  if (definition.node < 0) return true;
  for (const GraphThread& thread : graph_.threads()) {
    if (thread.parent >= 0 && !order_.before(definition.node, thread.entry)) return false;
  }
  return true;
}

std::string ReachingDefinitions::root_name(const Cell& cell) const {
  if (!cell.known() || graph_.object(cell.object).variable < 0) return {};
  return graph_.program().variables[static_cast<std::size_t>(graph_.object(cell.object).variable)].name;
}

// What main does on a path on which it has started no thread yet; and what may or may not run as a thread of its own.
void ReachingDefinitions::find_beginning() {
  beginning_.assign(graph_.nodes().size(), false);
  std::vector<int> open{graph_.thread(0).entry};
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (beginning_[static_cast<std::size_t>(id)]) continue;
    beginning_[static_cast<std::size_t>(id)] = true;
    const GraphNode& node = graph_.node(id);
    if (node.kind == Kind::create) {
      if (!node.optional) continue;
      if (node.started >= 0) open.push_back(graph_.thread(node.started).entry);
    }
    open.insert(open.end(), node.next.begin(), node.next.end());
  }
}

FoundDefinition ReachingDefinitions::describe(const Definition& definition) const {
  FoundDefinition found;
  if (definition.nothing) return found;
  found.initial = is_initial(definition);
  found.perhaps_initial =
      found.initial || beginning_[static_cast<std::size_t>(definition.node)] || graph_.node(definition.node).unseen;
  if (definition.node < 0) {
    const auto variable = static_cast<std::size_t>(graph_.object(definition.cell.object).variable);
    found.where = graph_.program().variables[variable].where;
    return found;
  }
  const GraphNode& node = graph_.node(definition.node);
  found.where = node.where;
  if (node.function >= 0) found.function = graph_.program().functions[static_cast<std::size_t>(node.function)].name;
  return found;
}

std::vector<FoundRead> ReachingDefinitions::find() {
  // A source place may be in the graph many times; what any of them sees counts.
  struct Merged {
    FoundRead read;
    std::map<std::pair<SourcePlace, bool>, FoundDefinition> seen;
    std::map<std::pair<SourcePlace, bool>, FoundDefinition> pruned;
  };
  std::map<std::tuple<SourcePlace, std::string, std::string>, Merged> merged;
  find_beginning();
  std::vector<FoundDefinition> described;
  described.reserve(definitions_.size());
  for (const Definition& definition : definitions_) described.push_back(describe(definition));
  for (const int read : reads_) {
    const GraphNode& node = graph_.node(read);
    const std::string object = graph_.name(node.cell);
    Merged& entry = merged[{node.where, object, root_name(node.cell)}];
    entry.read.where = node.where;
    entry.read.object = object;
    entry.read.variable = root_name(node.cell);
    entry.read.own_write = entry.read.own_write || node.own_write;
    entry.read.unset = entry.read.unset || !node.cell.known();
    if (node.function >= 0)
      entry.read.function = graph_.program().functions[static_cast<std::size_t>(node.function)].name;
    for (std::size_t d = 0; d < definitions_.size(); ++d) {
      if (!graph_.may_overlap(definitions_[d].cell, node.cell)) continue;
      FoundDefinition found = described[d];
      std::string reason;
      const Seen seen = judge(d, read, reason);
      if (definitions_[d].nothing) {
        entry.read.unset = entry.read.unset || seen != Seen::not_seen;
        continue;
      }
      const std::pair key{found.where, definitions_[d].node < 0};
      if (seen == Seen::not_seen) {
        found.reason = reason;
        entry.pruned.emplace(key, found);
      } else {
        found.concurrent = seen == Seen::concurrent;
        const auto [known, is_new] = entry.seen.emplace(key, found);
        known->second.concurrent = known->second.concurrent || found.concurrent;
        known->second.initial = known->second.initial && found.initial;
        known->second.perhaps_initial = known->second.perhaps_initial || found.perhaps_initial;
      }
    }
  }
  std::vector<FoundRead> result;
  for (auto& [key, entry] : merged) {
    for (auto& [place, found] : entry.seen) entry.read.definitions.push_back(found);
    for (auto& [place, found] : entry.pruned) {
      if (!entry.seen.contains(place)) entry.read.pruned.push_back(found);
    }
    result.push_back(std::move(entry.read));
  }
  return result;
}

}  // namespace ravel
