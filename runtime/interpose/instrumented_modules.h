// SPDX-License-Identifier: Apache-2.0
// Which code of the program is instrumented. Memory accesses of libc functions are tracked only when such code calls
// them: libraries without instrumentation may order theirs in ways that Ravel cannot see.
//
// Thread safety: modules are added while they are loaded, by one thread at a time; asked by tasks.
#pragma once

#include <cstdint>

namespace ravel {

// The module that holds `pc` is instrumented. More than kMost of them: the rest count as not instrumented.
void add_instrumented_module(std::uint64_t pc);

bool is_instrumented(std::uint64_t pc);

}  // namespace ravel
