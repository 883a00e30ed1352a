// SPDX-License-Identifier: Apache-2.0
// FunctionAccesses: the variables that one function accesses itself, the locks that it holds meanwhile, and the calls
// it makes. A variable that it gets by reference or pointer has a number: the place of the parameter; callers know what
// it is. Used by find_pairs. Thread safety: none.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/futures/flow_program.h"
#include "analysis/pairs/dependent_pairs.h"

namespace ravel {

// A call, and what is passed on: the variable that each parameter refers to, or an empty name.
struct PassedCall {
  std::vector<int> callees;
  std::vector<std::string> arguments;
  std::set<std::string> locks;
};

class FunctionAccesses {
 public:
  FunctionAccesses(const FlowProgram& program, int function);

  const std::set<VariableAccess>& accesses() const { return accesses_; }
  const std::vector<PassedCall>& calls() const { return calls_; }
  // Its own local variables among them: each call of the function has others.
  const std::set<std::string>& locals() const { return locals_; }

  // The name of the n-th parameter's variable, and the other way round; -1: it is not one.
  static std::string parameter(int number);
  static int parameter(const std::string& variable);

 private:
  using Locks = std::set<std::string>;

  void find_aliases();
  void go_through();
  void apply(const FlowEvent& event, Locks& locks, bool keep);
  void add_call(const FlowEvent& event, const Locks& locks);
  std::string variable_at(const FlowExprPtr& place);
  std::string named(int variable);
  std::string pointed_at(const FlowExprPtr& value);
  bool is_private(const FlowExprPtr& place);
  int parameter_place(int variable) const;

  const FlowProgram& program_;
  int id_;
  const FlowFunction& function_;
  std::map<int, std::string> aliases_;                      // references: what they mean
  std::map<std::string, std::vector<std::string>> guards_;  // lock objects: their mutexes
  std::set<VariableAccess> accesses_;
  std::vector<PassedCall> calls_;
  std::set<std::string> locals_;
};

}  // namespace ravel
