// SPDX-License-Identifier: Apache-2.0
// Words for memory accesses: what a task does to memory, which two accesses race, what would order them.
//
// Who calls it: finding_report (messages, remedies) and text_report (headings). Thread safety: no state.
#pragma once

#include <cstdint>
#include <string>

#include "reports/finding_report.h"

namespace ravel {

enum class Tense : std::uint8_t { present, past };

// "writes", "atomically read", "frees".
std::string access_verb(const ResolvedStack& stack, Tense tense);

// "write", "read", "free".
std::string access_noun(const ResolvedStack& stack);

// "T1 writes and T2 reads 4 bytes of balance". Needs two stacks.
std::string race_message(const ResolvedFinding& finding);

// "T1 writes 8 bytes of a heap block of 24 bytes, which T2 already freed". Needs one stack.
std::string heap_message(const ResolvedFinding& finding);

// Ends the sentence "What would order them: ...". Needs two stacks.
std::string race_remedy(const ResolvedFinding& finding);

// The value of a variable as a programmer would write it. Empty if it may be an address, which says nothing.
std::string value_text(std::uint64_t value, std::uint64_t size, ValueKind kind);

// "4 bytes".
std::string bytes_text(std::uint64_t count);

// "4 bytes of balance"; what is freed has no size: "a heap block of 24 bytes".
std::string accessed_text(const ResolvedStack& stack);

}  // namespace ravel
