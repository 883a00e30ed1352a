// SPDX-License-Identifier: Apache-2.0
// A second opinion for the oracle: a machine that performs a litmus program operation by operation, for programs whose
// seq_cst operations are fences only.
//
// Called by model_test.cpp. Where the oracle judges finished executions by the rules of the standard, the machine gives
// each task views (the newest store of each location it may not read behind) and lets loads read, and stores take a
// place, anywhere in front of them: the promising semantics (Kang et al., POPL 2017) without promises, with the release
// sequences of C++20. The two share the program and nothing else.
//
// Thread safety: a pure function.
#pragma once

#include "tests/litmus/model.h"

namespace ravel::litmus {

// Every outcome, by trying every choice. The program must be well-formed, without seq_cst loads, stores and
// read-modify-writes.
Outcomes perform_with_views(const Program& program);

}  // namespace ravel::litmus
