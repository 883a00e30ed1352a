// SPDX-License-Identifier: Apache-2.0
// SyncOrder: which nodes of a ProgramGraph happen before which, in every execution that reaches both. Creation, join,
// barriers, latches, semaphores, once flags, promises, and flags that are waited for are all gates: whoever has passed
// one knows that its arrivals have happened (all of them, or at least one).
//
// Only certain orders are included: none that an execution could break. Built once; read-only afterwards.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analysis/futures/bit_set.h"
#include "analysis/futures/program_graph.h"

namespace ravel {

struct Gate {
  struct Arrival {
    int node = -1;
    bool all_instances = false;  // every instance of its thread has arrived
    bool certain = true;         // some instance has

    friend bool operator==(const Arrival&, const Arrival&) = default;
  };
  bool any = false;  // at least one arrival has happened; otherwise all have
  std::vector<Arrival> arrivals;

  friend bool operator==(const Gate&, const Gate&) = default;
};

struct HeldLock {
  bool held = false;
  bool exclusive = false;
};

class SyncOrder {
 public:
  explicit SyncOrder(const ProgramGraph& graph);

  // Every time that `first` happens at all, it happens before `second` does.
  bool before(int first, int second) const;
  // The same for an arrival, itself included.
  bool before_arrival(int first, const Gate::Arrival& arrival) const;

  const std::vector<Gate>& gates() const { return gates_; }
  const std::vector<int>& passed_at(int node) const;

  // Locks by number.
  const std::vector<Cell>& locks() const { return locks_; }
  HeldLock held(int node, int lock) const;
  bool releases(const GraphNode& node, int lock) const;
  // The write is still there when its critical section ends, or that is unknown.
  bool survives_section(int write, int lock) const;

 private:
  void find_locks();
  void find_creations();
  void find_joins();
  void find_counters();
  void find_barriers();
  void find_observations();
  void find_passed();
  void find_before();

  BitSet passed_before(int node) const;
  const BitSet& reached(int node) const;   // from a node, by at least one edge
  bool avoids(int node, int other) const;  // some path to the node avoids the other
  int add_gate(Gate gate);
  void pass(int node, int gate) { passes_[node].push_back(gate); }
  std::optional<long> count_of(const Cell& cell) const;
  std::vector<int> nodes_of(GraphNode::Kind kind) const;
  bool is_moved(const Cell& handle) const;
  bool same_cell(const Cell& a, const Cell& b) const;
  long executions(int node) const;  // at most, of all instances; 0: unknown

  const ProgramGraph& graph_;
  std::vector<Gate> gates_;
  std::map<int, std::vector<int>> passes_;
  std::vector<BitSet> passed_;  // by node: gates
  std::vector<BitSet> before_;  // by gate: nodes
  std::vector<Cell> locks_;
  std::vector<BitSet> held_;  // by node: 2 * lock, and 2 * lock + 1 when exclusive
  mutable std::map<int, BitSet> reached_;
};

}  // namespace ravel
