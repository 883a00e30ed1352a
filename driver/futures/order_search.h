// SPDX-License-Identifier: Apache-2.0
// find_order(): given one execution, is there another order of its operations in which these reads see those writes? A
// search over how far each task has got, under the rules that real executions obey: the order of each task, creation
// and joins, locks, barriers, semaphores; anything else that tasks wait for keeps its original order.
//
// An order that is found is tried in a real execution, which may take another path where a read sees something new. If
// none is found, that is a fact about the operations of this execution only: see future_table.h for what follows.
//
// Who calls it: FutureSearch, RequestSearch. Thread safety: no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/futures/observed_execution.h"
#include "driver/process/deadline.h"

namespace ravel {

// The read sees this write. Both are events; the write may be kInitialValue.
struct ReadChoice {
  std::size_t read = 0;
  std::int64_t write = kInitialValue;
};

// What the other reads see on the way.
enum class OtherReads : std::uint8_t {
  same_write,  // as in the execution: no task can take another path
  same_value,
  written_stays_written,  // a read that saw another task's write still sees some write: flags and counters
  anything,               // except what the standard library's synchronisation reads in its own memory
  anything_at_all,
};
inline constexpr OtherReads kOtherReadsLevels[] = {OtherReads::same_write, OtherReads::same_value,
                                                   OtherReads::written_stays_written, OtherReads::anything,
                                                   OtherReads::anything_at_all};

enum class OrderAnswer : std::uint8_t {
  found,
  impossible,  // every order was examined
  too_many,    // there were too many to examine
};

struct OrderFound {
  OrderAnswer answer = OrderAnswer::impossible;
  std::vector<std::size_t> order;  // events, up to the last of the reads
};

inline constexpr std::size_t kNoRead = ~std::size_t{0};
struct OrderEffort {
  std::size_t states = 100'000;  // most states examined
  std::size_t keeps = kNoRead;   // a read that sees the same write as in the execution, whatever the others see
  Deadline deadline = {};        // when it comes: too_many
};
OrderFound find_order(const ObservedExecution& execution, std::span<const ReadChoice> choices, OtherReads others,
                      const OrderEffort& effort = {});

// What each read of that order sees, as far as the order goes: kReadsNothing for those that are not in it.
std::vector<std::int64_t> sources_in(const ObservedExecution& execution, std::span<const std::size_t> order);

// True for operations whose effect on which tasks can run is known exactly. With others, `impossible` is not a proof.
bool is_modelled(OperationKind kind);

}  // namespace ravel
