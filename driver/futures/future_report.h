// SPDX-License-Identifier: Apache-2.0
// What `ravel futures` prints and writes. Pure functions: the same table gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_table.h"
#include "driver/futures/observed_execution.h"

namespace ravel {

// The table. Without `all`, only the program's own reads that more than one write can reach.
std::string text_of_futures(const FutureTable& table, bool all);

// docs/formats/futures.md.
std::string json_of_futures(const FutureTable& table, const std::vector<std::string>& program);

// Which read saw which write in one execution, with program order, creation and lock order: for Graphviz, or as JSON if
// the path ends in .json.
std::string graph_of_execution(const ObservedExecution& seen, bool json);

// A future that failed, from a saved table.
struct UnwantedFuture {
  std::string read_code;  // lines of the source: they stay valid when other lines come and go
  std::string write_code;
  std::string read;  // for people
  std::string write;
  std::string object;
  std::string outcome;
  std::string message;  // of the finding
  bool initial = false;
  bool is_future = true;  // otherwise a finding that does not belong to a future
};
Result<std::vector<UnwantedFuture>> read_unwanted(const std::string& path);

struct CheckedFuture {
  bool fine = false;
  std::string text;  // one line
};
// What became of it in a new table.
CheckedFuture check_future(const UnwantedFuture& unwanted, const FutureTable& table);

}  // namespace ravel
