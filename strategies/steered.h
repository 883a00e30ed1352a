// SPDX-License-Identifier: Apache-2.0
// steered: a chooser around another one. It follows the holds of a plan (Plan::hold): a task that holds one lock of a
// suspected circle and wants the next is kept back until there is such a task for every hold of the plan. Then each
// holds what the next wants, and whoever runs first, they wait for each other for ever: the deadlock is real.
//
// A task that is kept back does not exist for the inner chooser: it is told that the task cannot run. So every strategy
// can be steered, and what is left open is decided as that strategy would.
//
// Steering is a hint. Who is kept back goes on when nobody else can run, and for good when that took too long or when
// steering has succeeded. Ground rules of choosers apply (include/ravel/strategy.h).
#pragma once

#include <ravel/strategy.h>

namespace ravel {

// One object in static memory, as other choosers; its begin() makes it fit for the next execution.
Chooser& steered_chooser(Chooser& inner);

}  // namespace ravel
