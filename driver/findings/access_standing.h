// SPDX-License-Identifier: Apache-2.0
// AccessStanding: what an access of an execution is to the person who reads about it (read_cause.h): the program's own
// data, the library's bookkeeping, or the end of a scope. Answers from the calls that led to the access.
//
// Who uses it: ReadCauseChoice; futures leave bookkeeping out of their tables. Thread safety: as SymbolSource.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "driver/findings/read_cause.h"
#include "reports/symboliser.h"

namespace ravel {

// What semaphores, barriers and the like do to their own memory, and the reference counting of a shared pointer.
bool is_bookkeeping(const Frame& frame);

class AccessStanding {
 public:
  explicit AccessStanding(SymbolSource& symbols) : symbols_(symbols) {}

  // `record`: the execution that the event is from.
  Standing of(const LoggedEvent& event, const ExecutionRecord& record);

 private:
  Standing find(const Operation& operation, const StackRecord& stack);

  SymbolSource& symbols_;
  std::unordered_map<std::uint64_t, Standing> known_;  // by LoggedEvent::code
};

// The calls that led to an event of the execution; without frames when they were not kept.
const StackRecord& stack_of(const ExecutionRecord& record, std::size_t place);

}  // namespace ravel
