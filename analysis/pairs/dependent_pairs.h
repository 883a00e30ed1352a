// SPDX-License-Identifier: Apache-2.0
// find_pairs(): which functions of a program access common variables, from the sources alone. Two functions that both
// access a variable are parallel dependent: strongly if at least one of them writes it, weakly if both only read
// (Schimmel, Molitorisz, Jannesari, Tichy: Automatic Generation of Parallel Unit Tests, AST 2013).
//
// What is a variable here: a global or static one; a field, for all objects of its class; a local one that others can
// reach. A container is one variable with all it contains. Accesses count for the function that makes them and for
// those that call it, through virtual calls, templates and lambdas too. What a constructor or destructor does to its
// own object nobody else sees; neither is a function of a pair, and neither is main.
//
// Called by the analyzer for the command "pairs". Thread safety: none.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/futures/flow_program.h"
#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"

namespace ravel {

struct VariableAccess {
  std::string variable;  // "balance", "Account::balance_", "run::total"
  bool writes = false;
  bool atomic = false;
  bool own = false;             // the function makes it itself; otherwise a function that it calls does
  std::set<std::string> locks;  // held in any case, by name

  friend bool operator<(const VariableAccess& a, const VariableAccess& b) {
    return std::tie(a.variable, a.writes, a.atomic, a.own, a.locks) <
           std::tie(b.variable, b.writes, b.atomic, b.own, b.locks);
  }
};

struct AccessingFunction {
  std::string name;
  SourceLines lines;
  std::set<VariableAccess> accesses;
  std::set<std::string> locals;  // its own local variables among them
};

struct DependentPair {
  std::size_t functions[2] = {};  // may be the same one twice
  bool strong = false;
  bool locked = false;                 // all that conflicts is atomic, or done while holding a common lock
  std::vector<std::string> variables;  // strong: those that one of the two writes
};

struct PairsResult {
  std::vector<AccessingFunction> functions;  // those that access some variable, by name
  std::vector<DependentPair> pairs;
  std::vector<Problem> errors;  // if not empty, everything else is
};

PairsResult find_pairs(const std::vector<ParseInput>& sources);
PairsResult find_pairs(const FlowProgram& program);

}  // namespace ravel
