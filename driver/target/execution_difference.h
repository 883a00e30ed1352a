// SPDX-License-Identifier: Apache-2.0
// Compares two executions that should have been the same and says where they differ. Campaign workers use it for
// --verify (the first execution of a campaign is run twice), Replay to report where it diverged. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "driver/target/execution_record.h"
#include "reports/symboliser.h"

namespace ravel {

// The first step at which task, kind or code location differ; nullopt when none does.
std::optional<std::size_t> first_difference(std::span<const Operation> first, std::span<const Operation> second);

// One sentence: what differs between two executions of the same plan, and the probable cause. Empty when they are
// equal.
std::string explain_difference(const ExecutionRecord& first, const ExecutionRecord& second, Symboliser& symboliser);

// Are they the same in everything that a process of its own must not change: decisions, summary, end, findings?
bool are_equal(const ExecutionRecord& first, const ExecutionRecord& second);

// "T1 lock at bank.cpp:12"
std::string step_text(const Operation& operation, Symboliser& symboliser);

}  // namespace ravel
