// SPDX-License-Identifier: Apache-2.0
// GraphBuilder: inlines functions where they are called, thread by thread, and resolves which objects their names mean
// there. Used once, by ProgramGraph::build. Thread safety: none.
//
// A name means one object only where that is certain: references, and pointers and lambdas that never change. Anything
// else is "anything of that type".
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "analysis/futures/program_graph.h"

namespace ravel {

class GraphBuilder {
 public:
  explicit GraphBuilder(ProgramGraph& graph) : graph_(graph), program_(graph.program()) {}
  bool build();

 private:
  struct Frame;
  struct Value {
    enum class Kind { unknown, address, callable, constant };
    Kind kind = Kind::unknown;
    Cell cell;                     // address
    int function = -1;             // callable
    const Frame* frame = nullptr;  // of a lambda: where it was made
    std::shared_ptr<Value> self;   // of a method: its object's address
    long number = 0;
  };
  // One inlined call of a function.
  struct Frame {
    int function = -1;
    int id = -1;
    int thread = -1;
    const Frame* caller = nullptr;
    const Frame* closure = nullptr;  // of a lambda: the frame that made it
    std::map<int, Value> references;
    Value self;
    long trips = 1;
    bool certain = true;
    bool hub = false;  // nothing is known of its calls
    int depth = 0;
  };
  struct Pending {
    int thread;
    Value callable;
    std::vector<Value> arguments;
  };

  const FlowFunction& function(int id) const { return program_.functions[static_cast<std::size_t>(id)]; }
  const FlowVariable& variable(int id) const { return program_.variables[static_cast<std::size_t>(id)]; }
  GraphNode& node(int id) { return graph_.nodes_[static_cast<std::size_t>(id)]; }

  int add_node(GraphNode::Kind kind, const FlowEvent* event, const Frame& frame);
  void link(int from, int to);
  int append(int at, GraphNode::Kind kind, const FlowEvent& event, const Frame& frame, Cell cell);

  Frame& new_frame(int function, const Frame* caller);
  int object_of(int variable, int allocation, const Frame* frame);
  Cell resolve(int variable, const Frame* frame);
  Cell place(const FlowExprPtr& expression, const Frame* frame);
  Value value(const FlowExprPtr& expression, const Frame* frame, int depth = 0);
  std::string key(const Cell& cell) const;
  void remember(const Cell& cell, const Value& value);
  static bool same(const Value& a, const Value& b);

  int put(int function, Frame& frame, int at);  // returns the last node
  int put_events(const std::vector<FlowEvent>& events, int at, Frame& frame, const FlowBlock* block);
  int put_event(const FlowEvent& event, int at, Frame& frame, const FlowBlock* block);
  int put_call(const FlowEvent& event, int at, Frame& frame, const FlowBlock* block);
  int put_callee(const Value& callee, const std::vector<Value>& arguments, const FlowEvent& event, int at, Frame& frame,
                 long trips, bool certain, Frame** made = nullptr);
  int put_hub(const std::set<int>& functions, int at, Frame& frame);
  void put_create(const FlowEvent& event, int node, Frame& frame);
  void bind(Frame& frame, const std::vector<Value>& arguments, bool copies);
  std::vector<Cell> mutexes(const Cell& guard, bool& known) const;
  std::set<int> reachable(const std::set<int>& functions) const;
  std::set<int> callable_functions() const;
  void start(const Pending& pending);

  ProgramGraph& graph_;
  const FlowProgram& program_;
  std::deque<Frame> frames_;
  std::deque<Pending> pending_;
  std::map<std::pair<std::pair<int, int>, int>, int> objects_;  // variable, allocation, frame
  std::map<std::string, Value> values_;
  std::map<std::string, std::vector<Cell>> guards_;
  std::vector<int> handlers_;  // where exceptions of the current calls may continue
  int thread_ = -1;
};

}  // namespace ravel
