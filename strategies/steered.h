// SPDX-License-Identifier: Apache-2.0
// steered_chooser(): a chooser around another one. It follows the holds of a plan (Plan::hold): a task that holds one
// lock of a suspected cycle and wants the next is held back until there is such a task for every hold of the plan. Then
// each holds what the next wants, and whichever runs first, they wait for each other forever: the deadlock is real.
//
// To the inner chooser, a task that is held back is one that cannot run. So every strategy can be steered, and all
// other choices are made as that strategy would make them.
//
// Steering is a hint. A task that is held back continues when no other task can run, and for good when that took too
// long or when steering has succeeded. The ground rules of choosers apply (include/ravel/strategy.h).
#pragma once

#include <ravel/strategy.h>

namespace ravel {

// One object in static memory, like other choosers; its begin() prepares it for the next execution.
Chooser& steered_chooser(Chooser& inner);

}  // namespace ravel
