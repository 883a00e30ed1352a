// SPDX-License-Identifier: Apache-2.0
//
// CodeLocations: every place of the program that accesses memory (its return address, "pc"), and whether it is known to
// touch memory that tasks share without ordering their accesses. Accesses at shared locations are scheduling points.
//
// Who calls it: ContendedMemory for every access; the fork server, which seeds it with what earlier executions of the
// campaign learned. The table is private to the process and inherited by fork. What an execution learns is effective at
// once and appended to the SiteLog, from which the driver seeds later executions.
//
// What "shared" covers: the first execution finds every location that touched shared memory in it, but early accesses
// of a location happen before it is known. From the second execution on all locations seen so far are known from the
// start. Given the same seed set, an execution of the same schedule has the same points.
//
// Thread safety: none; only the running task (or the fork server, while no task runs) calls.
//
// Invariants:
//  1. A location's index never changes; indices are dense from 0.
//  2. A shared location never becomes unshared, except by forget().
#pragma once

#include <cstdint>

#include "runtime/memory/growing_table.h"
#include "runtime/memory/open_table.h"

namespace ravel {

// Where newly learned locations are written: memory shared with the driver. Null pointers: nowhere.
struct SiteLog {
  std::uint64_t* site = nullptr;
  std::uint32_t* count = nullptr;
  std::uint32_t capacity = 0;
};

class CodeLocations {
 public:
  struct State {
    std::uint32_t index;  // dense number + 1; 0 only in a fresh entry
    std::uint32_t shared;
  };

  static constexpr std::uint32_t kMaxLocations = 1U << 24;

  // Before the fork, so that executions need not.
  void prepare();

  void log_to(const SiteLog& log) { log_ = log; }

  // Makes exactly sites[0..count) shared. Incremental: sites already learned by an earlier call are skipped, so callers
  // may only append. A smaller count than before (a replay of an earlier execution) starts afresh.
  void learn(const std::uint64_t* sites, std::uint32_t count);

  // The state of `pc`, which is added if it is new. Valid until the next call.
  State& at(std::uint64_t pc) {
    State& state = table_.find_or_add(pc).value;
    if (state.index == 0) [[unlikely]]
      number(state, pc);
    return state;
  }

  void mark_shared(std::uint32_t index);

  bool is_shared(std::uint64_t pc) {
    const auto* entry = table_.find(pc);
    return entry != nullptr && entry->value.shared != 0;
  }

  std::uint32_t size() const { return count_; }

  // Grows with every location that becomes shared.
  std::uint32_t shared_count() const { return shared_count_; }

  // The place with this State::index; 0 for none.
  std::uint64_t pc_of(std::uint32_t index) const { return index == 0 || index > count_ ? 0 : pcs_[index - 1]; }

  // Drops all locations.
  void forget();

 private:
  void number(State& state, std::uint64_t pc);

  OpenTable<State> table_;
  GrowingTable<std::uint64_t> pcs_;  // by index
  std::uint32_t count_ = 0;
  std::uint32_t shared_count_ = 0;
  std::uint32_t learned_ = 0;  // how many seeds were taken over
  SiteLog log_;
};

}  // namespace ravel
