// SPDX-License-Identifier: Apache-2.0
// ScriptText: what a script says (script.h), taken apart. Used by script.cpp only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/decision.h"
#include "script.h"

namespace ravel::test {

Words split(std::string_view text);
std::string join(const Words& words, std::string_view between = " ");

// What the environment is to answer.
struct Answer {
  DecisionKind kind = DecisionKind::environment;
  EnvironmentKind detail = EnvironmentKind::spurious_wakeup;
  std::uint32_t value = 1;
};

// A line below the line, and what it says about the schedule if it is a step.
struct Row {
  std::string text;   // without needless spaces
  std::string label;  // "A", "A(spurious)"; empty: not a step
  std::string task;
  std::vector<Answer> answers;
  bool tells_enabled = false;
};

struct ScriptText {
  struct Line {
    std::string name;
    std::vector<std::string> commands;
  };
  std::vector<Words> declarations;
  std::vector<Line> tasks;
  std::map<std::string, Line> routines;
  std::vector<Row> rows;
};

ScriptText parse(std::string_view text);

}  // namespace ravel::test
