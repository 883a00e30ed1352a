// SPDX-License-Identifier: Apache-2.0
// action_text(): the C++ code for an action; include/ravel/sync.h explains what it calls.
#pragma once

#include <string>

#include "analysis/weave/action.h"

namespace ravel {

// One statement on one line. `place` is shown in messages: "list.cpp:42".
std::string action_text(const Action& action, const std::string& place);

// False if the condition cannot be put between parentheses, whatever it means; `problem` says why.
bool is_one_expression(const Action& action, Problem& problem);

}  // namespace ravel
