// SPDX-License-Identifier: Apache-2.0
// The global variables that the first execution of an explored body changed, in words: the test may rely on what a body
// leaves for the next one, and there is nothing left.
//
// Who calls it: Worker, after each execution; most have nothing to tell. Thread safety: that of the symbols.
#pragma once

#include <string>

#include "reports/symboliser.h"
#include "trace/channel.h"

namespace ravel {

// One sentence; empty if there are none. Variables of test frameworks, of the C++ library and of Ravel do not count.
std::string tell_changed_globals(const Channel& channel, SymbolSource& symbols);

}  // namespace ravel
