// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/lock_order.h"

#include <algorithm>

#include "base/random.h"

namespace ravel {
namespace {

bool wants_shared(const LockEdge& edge) { return edge.wanted_kind == OperationKind::rwlock_read_lock; }

// `first` wants what `second` holds: would it have to wait?
bool blocks(const LockEdge& first, const LockEdge& second) {
  return first.wanted == second.held && first.wanted_serial == second.held_serial &&
         !(wants_shared(first) && second.held_shared != 0);
}

bool have_common_gate(const LockEdge& a, const LockEdge& b) {
  for (const std::uint64_t gate : a.gate) {
    if (gate == 0) break;
    for (const std::uint64_t other : b.gate) {
      if (other == 0) break;
      const bool both_shared = (gate & other & 1) != 0;
      if ((gate | 1) == (other | 1) && !both_shared) return true;
    }
  }
  return false;
}

std::vector<std::uint64_t> key_of(const LockEdge& edge) {
  std::vector<std::uint64_t> key = {edge.held,          edge.wanted, edge.held_serial,
                                    edge.wanted_serial, edge.task,   static_cast<std::uint64_t>(edge.wanted_kind),
                                    edge.held_shared};
  key.insert(key.end(), std::begin(edge.held_pc), std::end(edge.held_pc));
  key.insert(key.end(), std::begin(edge.wanted_pc), std::end(edge.wanted_pc));
  key.insert(key.end(), std::begin(edge.gate), std::end(edge.gate));
  return key;
}

// Where an edge arises, whichever task it is.
std::uint64_t place_of(const LockEdge& edge) {
  std::uint64_t place = 0;
  for (const std::uint64_t pc : edge.held_pc) place = hash_mix(place, pc);
  for (const std::uint64_t pc : edge.wanted_pc) place = hash_mix(place, pc);
  return place;
}

std::uint64_t hash_of(std::span<const LockEdge> edges) {
  std::uint64_t hash = edges.size();
  for (const LockEdge& edge : edges) {
    for (const std::uint64_t part : key_of(edge)) hash = hash_mix(hash, part);
    for (const std::uint64_t bits : edge.after) hash = hash_mix(hash, bits);
  }
  return hash;
}

bool is_after(const LockEdge& edge, std::size_t earlier) {
  return (edge.after[earlier / 64] >> (earlier % 64) & 1) != 0;
}

std::pair<std::size_t, std::size_t> pair_of(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

bool is_global(std::uint64_t address, std::span<const ModuleRecord> modules) {
  return std::any_of(modules.begin(), modules.end(),
                     [&](const ModuleRecord& module) { return module.start <= address && address < module.end; });
}

// The same place in the source, whatever the rest of the stack.
bool same_place(const ResolvedStack& a, const ResolvedStack& b) {
  if (a.frames.empty() || b.frames.empty()) return a.object == b.object;
  const Frame& x = *user_frame(a.frames);
  const Frame& y = *user_frame(b.frames);
  return x.function == y.function && x.file == y.file && x.line == y.line;
}

}  // namespace

std::size_t LockOrder::index_of(const LockEdge& edge, std::span<const ModuleRecord> modules) {
  const auto [it, is_new] = by_key_.try_emplace(key_of(edge), edges_.size());
  if (is_new) {
    by_held_[{edge.held, edge.held_serial}].push_back(edges_.size());
    edges_.push_back(edge);
    global_.push_back(is_global(edge.held, modules) && is_global(edge.wanted, modules));
  }
  return it->second;
}

std::vector<LockOrder::Cycle> LockOrder::learn(std::span<const LockEdge> edges, std::span<const ModuleRecord> modules) {
  std::vector<Cycle> fresh;
  // One edge alone is not a cycle, but it may complete one. Most executions show what others have shown.
  if (edges.empty() || !seen_.insert(hash_of(edges)).second || edges_.size() + edges.size() > kMaxEdges) return fresh;
  std::vector<std::size_t> indices;
  for (const LockEdge& edge : edges) indices.push_back(index_of(edge, modules));
  for (std::size_t j = 0; j < edges.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (edges[i].task == edges[j].task) continue;
      Overlap& overlap = together_.try_emplace(pair_of(indices[i], indices[j]), Overlap::ordered).first->second;
      if (!is_after(edges[j], i)) overlap = Overlap::possible;
    }
  }
  std::uint64_t steps = 0;
  std::vector<std::size_t> path;
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  current_ = std::move(indices);
  for (const std::size_t index : current_) {
    path.assign(1, index);
    search(path, steps, fresh);
  }
  return fresh;
}

bool LockOrder::may_overlap(std::size_t a, std::size_t b) const {
  if (edges_[a].task == edges_[b].task || have_common_gate(edges_[a], edges_[b])) return false;
  const auto found = together_.find(pair_of(a, b));
  return found == together_.end() || found->second == Overlap::possible;
}

// All from one execution, or all between globals.
bool LockOrder::belong_together(const std::vector<std::size_t>& path) const {
  return std::all_of(path.begin(), path.end(), [&](std::size_t index) { return global_[index]; }) ||
         std::all_of(path.begin(), path.end(),
                     [&](std::size_t index) { return std::binary_search(current_.begin(), current_.end(), index); });
}

bool LockOrder::is_possible(const std::vector<std::size_t>& cycle) const {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!may_overlap(cycle[j], cycle[i])) return false;
    }
  }
  return true;
}

void LockOrder::search(std::vector<std::size_t>& path, std::uint64_t& steps, std::vector<Cycle>& fresh) {
  const LockEdge& last = edges_[path.back()];
  if (path.size() > 1 && blocks(last, edges_[path.front()])) {
    keep(path, fresh);
    return;
  }
  if (path.size() == kLongest) return;
  const auto next = by_held_.find({last.wanted, last.wanted_serial});
  if (next == by_held_.end()) return;
  for (const std::size_t index : next->second) {
    if (++steps > kSearchSteps) return;
    if (!blocks(last, edges_[index])) continue;
    path.push_back(index);
    const bool possible = belong_together(path) && std::all_of(path.begin(), path.end() - 1, [&](std::size_t earlier) {
                            return may_overlap(earlier, index);
                          });
    if (possible) search(path, steps, fresh);
    path.pop_back();
  }
}

void LockOrder::keep(const std::vector<std::size_t>& path, std::vector<Cycle>& fresh) {
  std::vector<std::uint64_t> places;
  places.reserve(path.size());
  for (const std::size_t index : path) places.push_back(place_of(edges_[index]));
  std::sort(places.begin(), places.end());
  if (const auto known = by_places_.find(places); known != by_places_.end()) {
    auto& instances = cycles_[known->second].instances;
    const bool is_there = std::any_of(instances.begin(), instances.end(), [&](const std::vector<std::size_t>& other) {
      return std::is_permutation(other.begin(), other.end(), path.begin(), path.end());
    });
    if (!is_there && instances.size() < kMaxInstances) instances.push_back(path);
    return;
  }
  if (cycles_.size() >= kMaxCycles) return;
  Cycle cycle;
  cycle.number = cycles_.size();
  for (const std::size_t index : path) cycle.edges.push_back(edges_[index]);
  by_places_.emplace(std::move(places), cycles_.size());
  Known known;
  known.instances.push_back(path);
  cycles_.push_back(std::move(known));
  fresh.push_back(std::move(cycle));
}

void LockOrder::describe(std::size_t number, PotentialDeadlock words) {
  cycles_[number].words = std::move(words);
  cycles_[number].described = true;
}

bool LockOrder::steer(Plan& plan) {
  for (std::size_t i = 0; i < cycles_.size(); ++i) {
    Known& cycle = cycles_[next_try_++ % cycles_.size()];
    if (cycle.tries >= kTries || has_happened(cycle)) continue;
    const auto& instance = cycle.instances[cycle.tries++ % cycle.instances.size()];
    if (!is_possible(instance)) continue;
    for (std::size_t k = 0; k < instance.size(); ++k) {
      plan.hold[k] = LockHold{edges_[instance[k]].held, edges_[instance[k]].wanted};
    }
    return true;
  }
  return false;
}

bool LockOrder::has_happened(const Known& cycle) const {
  const auto& chains = cycle.words.chains;
  if (chains.empty()) return false;
  return std::any_of(deadlocks_.begin(), deadlocks_.end(), [&](const ResolvedFinding& deadlock) {
    return std::all_of(chains.begin(), chains.end(), [&](const ResolvedStack& chain) {
      return std::any_of(deadlock.stacks.begin(), deadlock.stacks.end(), [&](const ResolvedStack& stack) {
        return stack.blocked && stack.kind == chain.kind && same_place(stack, chain);
      });
    });
  });
}

std::vector<PotentialDeadlock> LockOrder::take() {
  std::vector<PotentialDeadlock> result;
  std::set<std::string> signatures;
  for (Known& cycle : cycles_) {
    const bool possible = std::any_of(cycle.instances.begin(), cycle.instances.end(),
                                      [&](const std::vector<std::size_t>& path) { return is_possible(path); });
    if (!cycle.described || has_happened(cycle) || !possible) continue;
    if (!signatures.insert(cycle.words.signature).second) continue;
    cycle.words.steered = cycle.tries;
    result.push_back(std::move(cycle.words));
  }
  return result;
}

}  // namespace ravel
