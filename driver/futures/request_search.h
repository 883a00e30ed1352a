// SPDX-License-Identifier: Apache-2.0
// RequestSearch: an execution in which chosen reads see chosen writes (`--force`, `--initial`), or why there is none.
//
// Who calls it: `ravel futures`. Thread safety: as ExecutionPool: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/execution_pool.h"
#include "driver/futures/future_choice.h"
#include "driver/futures/future_table.h"

namespace ravel {

// The result of a request.
struct RequestAnswer {
  FutureStatus status = FutureStatus::budget;  // forced, infeasible or budget
  std::string reason;                          // why not
  std::uint64_t executions = 0;
  std::uint64_t proof_executions = 0;   // additional ones, of an exhaustive search
  std::optional<std::size_t> shown_by;  // index into the pool: the one that shows all choices
};

class RequestSearch {
 public:
  // `proof`: most executions of an exhaustive search.
  RequestSearch(ExecutionPool& pool, std::uint64_t proof) : pool_(pool), proof_(proof) {}

  // An error when a request names something that does not exist.
  Result<RequestAnswer> force(const std::vector<FutureChoice>& choices);

 private:
  // Tries to bring about `some` of the choices from that execution; true when an execution shows all of them.
  Result<bool> attempt(std::size_t execution, std::span<const FutureChoice> some,
                       const std::vector<FutureChoice>& choices);
  Result<bool> search(const std::vector<FutureChoice>& choices);
  Result<bool> prove(const std::vector<FutureChoice>& choices);
  Status check_told_apart(const std::vector<FutureChoice>& choices) const;
  std::string cycle_against(const std::vector<FutureChoice>& choices) const;
  std::vector<const ObservedExecution*> seen() const;

  ExecutionPool& pool_;
  std::uint64_t proof_;
  std::uint64_t proof_executions_ = 0;
  std::optional<std::size_t> shown_by_;
};

}  // namespace ravel
