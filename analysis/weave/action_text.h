// SPDX-License-Identifier: Apache-2.0
// The C++ that an action becomes (include/ravel/sync.h says what it calls).
#pragma once

#include <string>

#include "analysis/weave/action.h"

namespace ravel {

// One statement on one line. `place` is shown in messages: "list.cpp:42".
std::string action_text(const Action& action, const std::string& place);

// False when the condition could not stand between parentheses, whatever it means; `problem` says why.
bool is_one_expression(const Action& action, Problem& problem);

}  // namespace ravel
