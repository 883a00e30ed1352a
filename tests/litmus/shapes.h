// SPDX-License-Identifier: Apache-2.0
// The table of litmus shapes: programs, the outcome each is known for, and what C++20 says about that outcome.
//
// Read by shapes_test.cpp, which holds the oracle against the verdicts written here by hand, and by
// runner/litmus_tool.cpp, which makes the real program. To add a shape, add a row with its derivation to shapes.cpp.
// Thread safety: constant once built.
#pragma once

#include <string>
#include <vector>

#include "tests/litmus/program.h"

namespace ravel::litmus {

enum class Says {
  allowed,    // C++20 allows the outcome and Ravel shows it
  forbidden,  // C++20 forbids it
  not_shown,  // C++20 allows it and Ravel leaves it out: see docs/guarantees.md
};

struct Shape {
  std::string name;
  Program program;
  std::vector<std::vector<Term>> outcome;  // any of these, all terms of one
  Says says;

  bool is_about(const Outcome& found) const;
};

const std::vector<Shape>& shapes();

}  // namespace ravel::litmus
