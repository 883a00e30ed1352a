// SPDX-License-Identifier: Apache-2.0
// Runs a program to its end, with a text as its standard input, and keeps what it writes to standard output.
// Standard error is the caller's. Who calls it: weaving, for ravel-analyzer and for compilers. Thread safety: no state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ravel {

struct ChildOutput {
  int code = 0;  // 128 and the signal when it died of one
  std::string text;
};

// Trouble only when it cannot be started. `directory`: where it runs; empty: here. `quiet`: nobody sees its standard
// error.
Result<ChildOutput> run_child(std::vector<std::string> words, std::string_view input, const std::string& directory = "",
                              bool quiet = false);

}  // namespace ravel
