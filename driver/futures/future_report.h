// SPDX-License-Identifier: Apache-2.0
// What `ravel futures` prints and writes. Pure functions: the same table gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_table.h"
#include "driver/futures/observed_execution.h"

namespace ravel {

// The table. Without `all`, only reads of the program itself that more than one write can reach.
std::string text_of_futures(const FutureTable& table, bool all);

// docs/formats/futures.md.
std::string json_of_futures(const FutureTable& table, const std::vector<std::string>& program);

// Who saw what in one execution, with program order, creation and the order of locks: for Graphviz, or as JSON when the
// path ends so.
std::string graph_of_execution(const ObservedExecution& seen, bool json);

// A future that failed, as a saved table has it.
struct UnwantedFuture {
  std::string read_code;  // lines of the source: they stay when other lines come and go
  std::string write_code;
  std::string read;  // for people
  std::string write;
  std::string object;
  std::string outcome;
  std::string message;  // of the finding
  bool initial = false;
  bool is_future = true;  // else a finding that came with no future of its own
};
Result<std::vector<UnwantedFuture>> read_unwanted(const std::string& path);

struct CheckedFuture {
  bool fine = false;
  std::string text;  // one line
};
// What became of it in a new table.
CheckedFuture check_future(const UnwantedFuture& unwanted, const FutureTable& table);

}  // namespace ravel
