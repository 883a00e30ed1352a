// SPDX-License-Identifier: Apache-2.0
// LogMatch: which events of two executions of a program are the same: made by the same task, at the same place in its
// code, in the same order. An event without a counterpart is one where a task went another way.
//
// Who makes it: find_read_causes and its callers. Thread safety: immutable after construction.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/findings/execution_log.h"

namespace ravel {

class LogMatch {
 public:
  LogMatch(const ExecutionLog& here, const ExecutionLog& there);

  // The same event in the other execution; kNoEvent when it has none.
  std::size_t there(std::size_t here) const { return there_[here]; }
  std::size_t here(std::size_t there) const { return here_[there]; }

 private:
  void match_task(const ExecutionLog& here, const ExecutionLog& there, TaskId task);
  void pair(std::size_t here, std::size_t there) {
    there_[here] = there;
    here_[there] = here;
  }

  std::vector<std::size_t> there_;
  std::vector<std::size_t> here_;
};

}  // namespace ravel
