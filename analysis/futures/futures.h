// SPDX-License-Identifier: Apache-2.0
// The search for reaching definitions as a whole: sources in, reads and what they can see out. Called by the analyzer
// for the command "futures". One thread.
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
  std::vector<Problem> errors;       // not empty: nothing else is
};

FuturesResult find_futures(const std::vector<ParseInput>& sources);

}  // namespace ravel
