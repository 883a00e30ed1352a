// SPDX-License-Identifier: Apache-2.0
// StaticPairs: the functions of a program that access common variables, according to the sources (analysis/pairs).
// ravel-analyzer does the search; this starts it and holds what it found as values, text and JSON.
//
// Who calls it: `ravel analyze --pairs`. Thread safety: none needed; values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

struct StaticAccess {
  std::string variable;
  bool writes = false;
  bool atomic = false;
  bool own = false;  // the function makes it itself; otherwise one that it calls
  std::vector<std::string> locks;
};

struct StaticFunction {
  std::string name;
  std::string file;
  unsigned first = 0;  // lines
  unsigned last = 0;
  std::vector<StaticAccess> accesses;

  // Its name; a lambda, which has none, by its place: "main::lambda (bank.cpp:36)".
  std::string label() const;
};

struct StaticPair {
  std::size_t functions[2] = {};
  bool strong = false;
  bool locked = false;
  std::vector<std::string> variables;
};

struct StaticPairs {
  std::vector<StaticFunction> functions;
  std::vector<StaticPair> pairs;

  std::size_t count(bool strong) const;

  // "strong  deposit | withdraw  on Account::balance_", one line for each pair; weak ones if asked for.
  std::string text(bool with_weak) const;
  std::string json() const;  // docs/formats/pairs.md
};

// All sources are one program. `analyzer`: ravel-analyzer.
Result<StaticPairs> find_static_pairs(const std::vector<CompileCommand>& sources, const std::string& analyzer);

}  // namespace ravel
