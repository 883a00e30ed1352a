// SPDX-License-Identifier: Apache-2.0
// find_futures(): the whole analysis of reaching definitions, from sources to reads and what they can see. Called by
// the analyzer for the command "futures". Thread safety: none.
#pragma once

#include <string>
#include <vector>

#include "analysis/futures/reaching_definitions.h"
#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"

namespace ravel {

struct FuturesResult {
  std::vector<FoundRead> reads;
  std::vector<std::string> threads;  // the kinds of threads, main first
  std::vector<Problem> errors;       // if not empty, everything else is
};

FuturesResult find_futures(const std::vector<ParseInput>& sources);

}  // namespace ravel
