// SPDX-License-Identifier: Apache-2.0
// ReachingDefinitions: for every read of a shared variable, the writes that it can see. Ordered writes are found by
// data flow along the graph's edges and through the gates of SyncOrder. Writes of other threads that nothing orders are
// added, except those that mutual exclusion rules out. After CSSAME (Novillo, Unrau, Schaeffer).
//
// Invariant: the definitions of a read contain every write that an execution can show it. Pruned writes say why.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/futures/bit_set.h"
#include "analysis/futures/sync_order.h"

namespace ravel {

struct FoundDefinition {
  SourcePlace where;
  std::string function;
  bool initial = false;          // the value before there were other threads
  bool perhaps_initial = false;  // in some executions it is
  bool concurrent = false;       // nothing orders it and the read
  std::string reason;            // pruned: why
};

struct FoundRead {
  SourcePlace where;
  std::string function;
  std::string object;
  std::string variable;    // that it is, or is a part of; empty: unknown or unnamed
  bool own_write = false;  // library code perhaps reads what it has just written
  bool unset = false;      // perhaps nothing has been written before it
  std::vector<FoundDefinition> definitions;
  std::vector<FoundDefinition> pruned;
};

class ReachingDefinitions {
 public:
  ReachingDefinitions(const ProgramGraph& graph, const SyncOrder& order);

  std::vector<FoundRead> find();

 private:
  struct Definition {
    int node = -1;  // -1: what a static variable has from the start
    Cell cell;
    bool nothing = false;  // no value yet: an object that was never written
  };
  enum class Seen { ordered, concurrent, not_seen };

  void collect();
  bool is_shared(const Cell& cell) const;
  void flow(const std::vector<BitSet>* earlier);
  bool overwritten(std::size_t definition, const Gate& gate, const std::vector<BitSet>& earlier) const;
  Seen judge(std::size_t definition, int read, std::string& reason) const;
  int hiding_write(int read, int lock) const;  // -1: none hides what was before the critical section
  bool is_initial(const Definition& definition) const;
  std::string root_name(const Cell& cell) const;
  void find_beginning();
  FoundDefinition describe(const Definition& definition) const;

  const ProgramGraph& graph_;
  const SyncOrder& order_;
  std::vector<int> reads_;
  std::vector<Definition> definitions_;
  std::vector<std::vector<std::size_t>> generated_;  // by node
  std::vector<bool> beginning_;                      // by node: perhaps before there are other threads
  // By node: what is there before it, after it, and after it as far as its own thread knows, before any gate it passes.
  std::vector<BitSet> in_;
  std::vector<BitSet> out_;
  std::vector<BitSet> come_;
};

}  // namespace ravel
