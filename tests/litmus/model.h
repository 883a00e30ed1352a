// SPDX-License-Identifier: Apache-2.0
// The oracle of the litmus suite: what the C++20 memory model allows a litmus program to end with.
//
// Called by the tests of this folder and by runner/litmus_tool.cpp. It shares nothing with the runtime: it enumerates
// candidate executions (reads-from x modification order) and judges each against the text of the standard, where the
// runtime makes decisions one operation at a time. Two implementations that agree are worth more than one.
//
// The rules are those of C++20 ([intro.races], [atomics.order], [atomics.fences]; P0668R5 for the order S, P0982R1 for
// release sequences), without memory_order_consume. One thing is stronger than the standard: sequenced-before and
// reads-from together must have no cycle. That leaves out load buffering, and with it values out of thin air.
//
// Thread safety: a pure function.
#pragma once

#include <set>

#include "tests/litmus/program.h"

namespace ravel::litmus {

using Outcomes = std::set<Outcome>;

struct Verdict {
  // What C++20 allows (without load buffering).
  Outcomes allowed;

  // What Ravel is to show: as `allowed`, and there is one total order of all operations that contains sequenced-before
  // and reads-from and performs the seq_cst operations in the order S. An engine that performs operations one after the
  // other, the seq_cst ones in the order S, shows exactly these. The two differ only where seq_cst and other operations
  // on the same locations are mixed.
  Outcomes engine;

  // What sequential consistency allows whatever the orders say: `--memory-model sc`.
  Outcomes interleavings;
};

// The program must be well-formed (why_malformed) and have at most 24 operations.
Verdict judge(const Program& program);

}  // namespace ravel::litmus
