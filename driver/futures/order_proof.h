// SPDX-License-Identifier: Apache-2.0
// find_cycle(): why certain reads cannot see certain writes together, among the operations of one execution: a cycle
// of "must come before". The rules are those of any execution: the order of each task, creation and joins, a read comes
// after the write it sees and nothing that would hide it comes between, sections of one lock do not overlap.
//
// Who calls it: FutureSearch and RequestSearch, for their reasons. Thread safety: no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/futures/observed_execution.h"
#include "driver/futures/order_search.h"

namespace ravel {

enum class OrderRule : std::uint8_t { program_order, creation, join, barrier, reads_from, hidden, lock_order };

struct OrderEdge {
  std::size_t before = 0;  // events
  std::size_t after = 0;
  OrderRule rule = OrderRule::program_order;
  std::size_t read = 0;  // hidden: the read that would see the wrong write
};

// The cycle, as consecutive edges that end where they began; nullopt when these rules show none.
std::optional<std::vector<OrderEdge>> find_cycle(const ObservedExecution& execution,
                                                 std::span<const ReadChoice> choices);

// "T1 writes b at f.cpp:9 -> T1 unlocks l at f.cpp:10 (program order) -> ...".
std::string cycle_text(const ObservedExecution& execution, std::span<const OrderEdge> cycle);

// The shortest of all cycles it is shown.
class ShortestCycle {
 public:
  // Is there one?
  bool look_at(const ObservedExecution& execution, std::span<const ReadChoice> choices);
  const std::string& text() const { return text_; }  // empty: there was none

 private:
  std::size_t length_ = ~std::size_t{0};
  std::string text_;
};

// "T1 writes b at f.cpp:9".
std::string event_text(const ObservedExecution& execution, std::size_t event);

const char* rule_text(OrderRule rule);

}  // namespace ravel
