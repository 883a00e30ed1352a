// SPDX-License-Identifier: Apache-2.0
// StaticFutures: for every read of a shared variable, the writes that it can see according to the sources
// (docs/design/0007-reaching-definitions.md). ravel-analyzer does the search; this starts it and holds what it found as
// values, text and JSON.
//
// Who calls it: `ravel analyze --futures`. Thread safety: none needed; values.
//
// Invariant: the definitions of a read contain every write that an execution can show it.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

struct StaticLines {
  std::string file;
  unsigned first = 0;
  unsigned last = 0;
};

struct StaticPlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<StaticLines> lines;  // where else a compiler may say it is: the lines of its statement
  std::string function;            // empty: the initial value of a static variable
};

struct StaticDefinition {
  StaticPlace place;
  bool initial = false;  // the value before any other thread exists
  bool perhaps_initial = false;
  bool concurrent = false;  // nothing orders it and the read
  std::string reason;       // of a pruned one
};

struct StaticRead {
  StaticPlace place;
  std::string object;      // a variable's name, or Class::field
  std::string variable;    // that it is, or is a part of; empty: unknown, or it has no name
  bool own_write = false;  // library code may read what it has just written
  bool unset = false;      // there may be no write before it
  std::vector<StaticDefinition> definitions;
  std::vector<StaticDefinition> pruned;
};

struct StaticFutures {
  std::vector<StaticRead> reads;
  std::vector<std::string> threads;  // kinds of threads by what they run, main first

  // "n at t3.cpp:21 = π(t1.cpp:8, t2.cpp:15)", one line for each variable and source line.
  std::string text(bool with_pruned) const;
  std::string json() const;  // docs/formats/futures-analysis.md
};

// All sources are one program. `analyzer`: ravel-analyzer.
Result<StaticFutures> find_static_futures(const std::vector<CompileCommand>& sources, const std::string& analyzer);

}  // namespace ravel
