// SPDX-License-Identifier: Apache-2.0
// WholeTrace: the steps of an execution together with the plain accesses between them that are not steps: what is read
// and written under a lock, where a switch would show nothing. Without them an explanation would mention only locks.
//
// Accesses to memory that only one task uses are left out. Used by explain_finding and by `ravel pin`; plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "driver/findings/cause.h"
#include "driver/target/execution_record.h"

namespace ravel {

class WholeTrace {
 public:
  // `record`: an execution with TraceLevel::values. What `cause` is about is kept in any case.
  explicit WholeTrace(const ExecutionRecord& record, const std::optional<Cause>& cause = std::nullopt);

  std::span<const TraceEvent> events() const { return events_; }
  std::span<const StackRecord> stacks() const { return stacks_; }

  // The index of a step in events(); events().size() when there is no such step.
  std::size_t place(std::size_t step) const { return step < place_.size() ? place_[step] : events_.size(); }

  // The same cause as indices into events(). If it is two sections of a lock, it becomes the data inside them: the last
  // access of the one section and the first of the other that conflict.
  Cause cause(const Cause& of_record) const;

 private:
  bool put_in_terms_of_data(Cause& cause) const;

  std::vector<TraceEvent> events_;
  std::vector<StackRecord> stacks_;
  std::vector<std::size_t> place_;  // the index in events_ of each step, then of each access
};

}  // namespace ravel
