// SPDX-License-Identifier: Apache-2.0
// The allocation functions of C++, before the first execution. Called by start-up. Thread safety: the only thread.
#pragma once

namespace ravel {

// Finds the operators of the C++ runtime library, if there is one by now, so that executions need not.
void find_operators();

}  // namespace ravel
