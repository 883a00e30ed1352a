// SPDX-License-Identifier: Apache-2.0
// ProgramGraph: the whole program as one graph per thread, with calls inlined. Threads of one kind (started in a loop,
// say) are one thread with several instances. Built once from a FlowProgram; read-only afterwards.
//
// A call that cannot be inlined (recursion, an unknown callee, too large) is replaced by a hub, from which everything
// it might do can happen, in any order and any number of times.
//
// Invariants: an edge joins nodes of the same thread; `next` and `previous` mirror each other; nodes never move.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/futures/flow_program.h"

namespace ravel {

// What an access touches: a part of an object that is known, or anything of a type.
struct Cell {
  int object = -1;                // -1: not known which
  std::vector<std::string> path;  // fields, "[3]", and "[]" for any element
  std::string field;              // the last field on the way, Class::field
  std::string type;

  bool known() const { return object >= 0; }
  bool has_any_element() const;
};

struct GraphObject {
  int variable = -1;
  int allocation = -1;
  int frame = -1;       // which call's; -1: any
  int thread = -1;      // that made it; -1: it always exists, or unknown
  bool unique = false;  // at most one such object in an execution
};

struct GraphNode {
  enum class Kind {
    none,
    read,
    write,
    lock,
    unlock,
    unlock_all,
    create,
    join,
    join_all,
    arrive,
    pass,
    barrier,
    spoil,
    observe,
    may_throw,
  };
  Kind kind = Kind::none;
  int thread = -1;
  int function = -1;
  SourcePlace where;
  Cell cell;
  bool weak = false;
  bool shared = false;
  bool atomic = false;
  bool ordered = false;
  bool declaration = false;
  bool optional = false;   // create: perhaps in no new thread
  bool once_flag = false;  // arrive, pass: of call_once
  bool own_write = false;  // read: by code that perhaps reads what it has just written
  bool unseen = false;     // write: of what a call gets, which no execution shows as a write
  bool certain = false;
  std::optional<long> constant;  // what is written
  Comparison comparison = Comparison::equal;
  long number = 0;
  long trips = 1;    // how often an instance of the thread gets here at most; 0: unknown
  int started = -1;  // create: the thread
  std::vector<int> next;
  std::vector<int> previous;
};

struct GraphThread {
  std::string name;
  int function = -1;
  int parent = -1;
  std::vector<int> creations;
  int entry = -1;
  int exit = -1;
  long instances = 1;  // at most; 0: unknown
  std::optional<Cell> handle;
  bool certain = false;  // there is an instance whenever the creator passes the creation

  bool once() const { return instances == 1; }
};

class ProgramGraph {
 public:
  // False: too large.
  bool build(const FlowProgram& program);

  const FlowProgram& program() const { return *program_; }
  const std::vector<GraphNode>& nodes() const { return nodes_; }
  const GraphNode& node(int id) const { return nodes_[static_cast<std::size_t>(id)]; }
  const std::vector<GraphThread>& threads() const { return threads_; }
  const GraphThread& thread(int id) const { return threads_[static_cast<std::size_t>(id)]; }
  const GraphObject& object(int id) const { return objects_[static_cast<std::size_t>(id)]; }

  // May both touch the same memory?
  bool may_overlap(const Cell& a, const Cell& b) const;
  // The one object, and not one of several elements.
  bool is_exact(const Cell& cell) const;
  // Does a write of a overwrite all of b?
  bool covers(const Cell& a, const Cell& b) const;
  // Does the node overwrite its cell completely?
  bool overwrites(const GraphNode& node) const;
  std::string name(const Cell& cell) const;

 private:
  friend class GraphBuilder;
  const FlowProgram* program_ = nullptr;
  std::vector<GraphNode> nodes_;
  std::vector<GraphThread> threads_;
  std::vector<GraphObject> objects_;
};

}  // namespace ravel
