// SPDX-License-Identifier: Apache-2.0
// find_read_causes(): why one execution fails and another passes, in terms of what was read. It walks backwards from
// the failure: the last read of the failing task that saw something else than in the passing execution; who wrote that,
// and what that task had read before it did; and so on, until a read saw another write although both tasks had done the
// same until then. Every read on the way is a possible cause; which of them decides is for others to find out
// (read_cause_choice.h). What the library keeps for itself is followed, but no cause: a future that has no value leads
// to why nobody set it. So does a wait that never ends, to whoever ended it in the passing execution.
//
// Pure functions on two executions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "driver/findings/execution_log.h"
#include "driver/findings/log_match.h"

namespace ravel {

// What an access is to the person who reads the report, the most telling first.
enum class Standing : std::uint8_t {
  data,         // what the program keeps, also inside containers
  bookkeeping,  // how the library counts references and synchronises
  destruction,  // what goes away at the end of a scope
  nowhere,      // no line of the program leads to it
};
using StandingOf = std::function<Standing(const LoggedEvent&)>;

// Indices into the failing execution.
struct ReadCause {
  std::size_t read = kNoEvent;        // the read that saw something else
  std::size_t first = kNoEvent;       // the pair; one of the two is the read, unless a write hid another
  std::size_t second = kNoEvent;      // kNoEvent: it was not made here
  std::size_t missing = kNoEvent;     // then: its index in the passing execution
  std::size_t third = kNoEvent;       // where the first task comes back to what the second changed
  std::size_t also_first = kNoEvent;  // a second pair, which is needed as well
  std::size_t also_second = kNoEvent;
  bool weak = false;     // an older store decides
  bool hides = false;    // the read saw a write that hid the one it should have seen
  unsigned depth = 0;    // reads between it and the failure
  bool is_root = false;  // nothing that was read before explains it
};

// A read of both executions that saw something else in the one than in the other.
bool saw_something_else(const ExecutionLog& here, const ExecutionLog& there, const LogMatch& match, std::size_t read);

// From the failure backwards. `failing`: the task that failed, or those that could not go on.
std::vector<ReadCause> find_read_causes(const ExecutionLog& here, const ExecutionLog& passing, const LogMatch& match,
                                        std::span<const TaskId> failing, const StandingOf& standing);

}  // namespace ravel
